package secret

import (
	"context"
	"errors"
	"os"
	"strconv"

	"github.com/godbus/dbus/v5"
)

const (
	secretsName = "org.freedesktop.secrets"
	secretsPath = dbus.ObjectPath("/org/freedesktop/secrets")
)

// busThere says whether there is a session bus to speak to. Without one the library below would start a daemon of its own and leave it behind.
func busThere() bool {
	if address := os.Getenv("DBUS_SESSION_BUS_ADDRESS"); address != "" && address != "autolaunch:" {
		return true
	}
	_, err := os.Stat("/run/user/" + strconv.Itoa(os.Getuid()) + "/bus")
	return err == nil
}

// reach asks the Secret Service whether it is there and whether the collection that would be used is locked. It opens no prompt.
func reach(ctx context.Context) error {
	if !busThere() {
		return ErrUnavailable
	}
	bus, err := dbus.SessionBusPrivateNoAutoStartup(dbus.WithContext(ctx))
	if err != nil {
		return errors.Join(ErrUnavailable, err)
	}
	defer bus.Close()
	if err = bus.Auth(nil); err == nil {
		err = bus.Hello()
	}
	if err != nil {
		return errors.Join(ErrUnavailable, err)
	}
	// The order of the library: the login collection, else the default one.
	collection := dbus.ObjectPath("/org/freedesktop/secrets/collection/login")
	locked, err := isCollectionLocked(ctx, bus, collection)
	if err != nil {
		var alias dbus.ObjectPath
		err = bus.Object(secretsName, secretsPath).CallWithContext(ctx, "org.freedesktop.Secret.Service.ReadAlias", 0, "default").Store(&alias)
		if err != nil {
			return errors.Join(ErrUnavailable, err)
		}
		if alias == "/" { // nothing that a key could be put into
			return ErrUnavailable
		}
		if locked, err = isCollectionLocked(ctx, bus, alias); err != nil {
			return errors.Join(ErrUnavailable, err)
		}
	}
	if locked {
		return ErrLocked
	}
	return nil
}

func isCollectionLocked(ctx context.Context, bus *dbus.Conn, path dbus.ObjectPath) (bool, error) {
	var v dbus.Variant
	err := bus.Object(secretsName, path).CallWithContext(ctx, "org.freedesktop.DBus.Properties.Get", 0, "org.freedesktop.Secret.Collection", "Locked").Store(&v)
	if err != nil {
		return false, err
	}
	locked, ok := v.Value().(bool)
	if !ok {
		return false, errors.New("the secret service does not say whether it is locked")
	}
	return locked, nil
}

// isLocked says whether the service itself named the lock as the reason.
func isLocked(err error) bool {
	var d dbus.Error
	return errors.As(err, &d) && d.Name == "org.freedesktop.Secret.Error.IsLocked"
}
