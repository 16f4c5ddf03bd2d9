package cli

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"assay/backend/api"
	"assay/backend/fault"
	"assay/backend/rules"
	"assay/backend/text"
	"assay/backend/workspace"
)

func (p Program) serveCommand() *cobra.Command {
	var port int
	var browse, link bool
	var mind, actor string
	c := &cobra.Command{Use: "serve [flags]", Short: text.Say("cli.serve_short"), Long: text.Say("cli.serve_long"), Args: exactly(0, 0, "")}
	c.Flags().IntVar(&port, "port", 0, text.Say("cli.flag_port"))
	c.Flags().BoolVar(&browse, "open", false, text.Say("cli.flag_open"))
	c.Flags().BoolVar(&link, "link", false, text.Say("cli.flag_link"))
	target := targetFlags(c, false)
	c.Flags().StringVar(&mind, "mind", "", text.Say("cli.flag_mind"))
	c.Flags().StringVar(&actor, "actor", "", text.Say("cli.flag_serve_actor"))
	open := func(ctx context.Context) (*workspace.Workspace, error) {
		ws, err := p.open(ctx, *target, false, mind, actor)
		if err != nil || actor == "" {
			return ws, err
		}
		if _, err = ws.Identify("", rules.Caller{}); err != nil { // said now, and not by every question
			return nil, errors.Join(err, ws.Close())
		}
		return ws, nil
	}
	c.RunE = func(c *cobra.Command, _ []string) error {
		if port < 0 || port > 65535 {
			return usageError{fault.New(fault.Invalid, "command line", text.Say("cli.bad_port", "port", port), text.Say("cli.bad_port_hint"))}
		}
		if mind != "" {
			if err := checkMind(mind); err != nil {
				return err
			}
		}
		if link {
			return p.newLinks(c.Context())
		}
		return p.serve(c.Context(), open, port, browse)
	}
	return c
}

// connections is how many may be open at once. A browser takes six, a stream one.
const connections = 128

// serve answers on loopback until the context ends. The port is taken before the workspace is opened, so that a port in
// use costs nothing.
func (p Program) serve(ctx context.Context, open func(context.Context) (*workspace.Workspace, error), port int, browse bool) error {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	if err != nil {
		if errors.Is(err, syscall.EADDRINUSE) {
			return fault.Wrap(fault.Unavailable, "serve", text.Say("cli.port_used", "port", port), text.Say("cli.port_used_hint"), err)
		}
		return fault.Wrap(fault.Unavailable, "serve", text.Say("cli.port_failed", "port", port), text.Say("cli.port_used_hint"), err)
	}
	defer listener.Close()
	ws, err := open(ctx)
	if err != nil {
		return err
	}
	defer ws.Close()
	port = listener.Addr().(*net.TCPAddr).Port
	server := api.New(ws, api.Options{Version: p.Version, Page: p.Page, Address: address(port)})
	defer server.Close()
	guard := api.NewGuard(server, api.GuardOptions{Port: port, Now: p.Now, Refused: func(r api.Refusal) { ws.NoteRefusal(ctx, r) }})
	forget, err := writeServed(served{PID: os.Getpid(), Port: port, Name: ws.Name(), Dir: ws.Dir(), Token: guard.Token()})
	if err != nil {
		return err
	}
	defer forget()
	link := guard.NewLink()
	fmt.Fprintln(p.Stdout, text.Say("cli.serving", "name", ws.Name(), "url", link))
	fmt.Fprintln(p.Stdout, text.Say("cli.bearer", "token", guard.Token()))
	if browse {
		openBrowser(link)
	}
	// A body has deadlines of its own (api.Guard); an answer may stream for as long as its question runs.
	web := &http.Server{
		Handler: guard, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 32 << 10, DisableGeneralOptionsHandler: true,
		BaseContext: func(net.Listener) context.Context { return ctx },
	}
	stopped := make(chan error, 1)
	go func() { stopped <- web.Serve(api.Limited(listener, connections)) }()
	select {
	case err := <-stopped:
		return fault.Wrap(fault.Internal, "serve", text.Say("cli.port_failed", "port", port), "", err)
	case <-ctx.Done():
	}
	fmt.Fprintln(p.Stderr, text.Say("cli.stopping"))
	end, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	if err := web.Shutdown(end); err != nil {
		_ = web.Close() // a reader that hangs on must not keep the process
	}
	<-stopped
	return nil
}

// address is where a port of this machine answers.
func address(port int) string { return "http://127.0.0.1:" + strconv.Itoa(port) }

// openBrowser asks the desktop to open an address. Failing is no harm: the address was printed.
func openBrowser(url string) {
	name, args := "xdg-open", []string{url}
	switch runtime.GOOS {
	case "darwin":
		name = "open"
	case "windows":
		name, args = "rundll32", []string{"url.dll,FileProtocolHandler", url}
	}
	if err := exec.Command(name, args...).Start(); err != nil {
		return
	}
}
