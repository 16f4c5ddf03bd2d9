package api

import (
	"net"
	"sync"
)

// Limited gives a listener that holds at most n connections open; more wait to be accepted until one closes.
func Limited(l net.Listener, n int) net.Listener {
	return &limitedListener{Listener: l, places: make(chan struct{}, n), closed: make(chan struct{})}
}

type limitedListener struct {
	net.Listener
	places chan struct{}
	once   sync.Once
	closed chan struct{}
}

func (l *limitedListener) Accept() (net.Conn, error) {
	select {
	case l.places <- struct{}{}:
	case <-l.closed:
		return nil, net.ErrClosed
	}
	c, err := l.Listener.Accept()
	if err != nil {
		<-l.places
		return nil, err
	}
	return &limitedConn{Conn: c, leave: func() { <-l.places }}, nil
}

func (l *limitedListener) Close() error {
	l.once.Do(func() { close(l.closed) })
	return l.Listener.Close()
}

type limitedConn struct {
	net.Conn
	once  sync.Once
	leave func()
}

func (c *limitedConn) Close() error {
	err := c.Conn.Close()
	c.once.Do(c.leave)
	return err
}
