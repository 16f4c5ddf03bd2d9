package cli

import (
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"assay/backend/fault"
	"assay/backend/minds"
	"assay/backend/text"
	"assay/backend/workspace"
)

// keyCommand keeps keys of providers. A key comes on standard input: whatever stands on a command line can be read by every process.
func (p Program) keyCommand() *cobra.Command {
	return group("key", text.Say("cli.key_short"), p.keySet(), p.keyList(), p.keyForget())
}

// keys gives the keys of this person. They belong to no workspace; url is that of a server that speaks the protocol of a provider.
func (p Program) keys(provider, url string) (*minds.Minds, error) {
	if provider != "" && !slices.Contains([]string{minds.Anthropic, minds.OpenAI}, provider) {
		return nil, usageError{fault.New(fault.Invalid, "command line", text.Say("minds.no_keys_of", "provider", provider), text.Say("minds.no_keys_of_hint"))}
	}
	chosen := minds.Default()
	if provider == minds.Anthropic {
		chosen.Anthropic = url
	} else {
		chosen.OpenAI = url
	}
	if chosen.Check() != "" {
		return nil, usageError{fault.New(fault.Invalid, "command line", text.Say("cli.bad_url", "url", url), text.Say("cli.bad_url_hint"))}
	}
	store, err := workspace.KeyStore(workspace.Options{Now: p.Now})
	if err != nil {
		return nil, err
	}
	return minds.New(minds.Deps{Chosen: func() minds.Chosen { return chosen }, Keys: store, Now: p.Now}), nil
}

// maxKey bounds what is read of standard input, in bytes: a little more than the store takes, so that it can say so.
const maxKey = 80 << 10

func (p Program) keySet() *cobra.Command {
	var url string
	c := &cobra.Command{Use: "set [flags] PROVIDER", Short: text.Say("cli.key_set_short"), Example: text.Say("cli.key_set_example"), Args: func(c *cobra.Command, args []string) error {
		if len(args) > 1 { // never said back: it may be the key
			return usageError{fault.New(fault.Invalid, "command line", text.Say("cli.key_on_stdin"), text.Say("cli.key_on_stdin_hint"))}
		}
		return exactly(1, 1, "cli.no_provider")(c, args)
	}}
	c.Flags().StringVar(&url, "url", "", text.Say("cli.flag_url"))
	c.RunE = func(c *cobra.Command, args []string) error {
		m, err := p.keys(args[0], url)
		if err != nil {
			return err
		}
		raw, err := io.ReadAll(io.LimitReader(p.Stdin, maxKey))
		if err != nil {
			return fault.Wrap(fault.Invalid, "read key", text.Say("cli.key_on_stdin"), text.Say("cli.key_on_stdin_hint"), err)
		}
		if err := m.SetKey(c.Context(), args[0], string(raw), false); err != nil {
			return err
		}
		p.say(text.Say("cli.key_kept", "provider", minds.Called(args[0]), "where", m.Keys(c.Context()).Status.Message))
		return nil
	}
	return c
}

func (p Program) keyList() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{Use: "list [flags]", Short: text.Say("cli.key_list_short"), Args: exactly(0, 0, "")}
	c.Flags().BoolVar(&asJSON, "json", false, text.Say("cli.flag_json"))
	c.RunE = func(c *cobra.Command, _ []string) error {
		m, err := p.keys("", "")
		if err != nil {
			return err
		}
		keys := m.Keys(c.Context())
		if asJSON {
			return writeJSON(p.Stdout, keys)
		}
		for _, k := range keys.Keys {
			p.say(text.Say("cli.key_line", "provider", k.Called, "where", k.Text, "variables", strings.Join(k.Variables, ", ")))
		}
		p.say(strings.TrimSpace(keys.Status.Message + " " + keys.Status.Hint))
		return nil
	}
	return c
}

func (p Program) keyForget() *cobra.Command {
	var url string
	c := &cobra.Command{Use: "forget [flags] PROVIDER", Short: text.Say("cli.key_forget_short"), Args: exactly(1, 1, "cli.no_provider")}
	c.Flags().StringVar(&url, "url", "", text.Say("cli.flag_url"))
	c.RunE = func(c *cobra.Command, args []string) error {
		m, err := p.keys(args[0], url)
		if err != nil {
			return err
		}
		if err := m.ForgetKey(c.Context(), args[0]); err != nil {
			return err
		}
		p.say(text.Say("cli.key_forgotten", "provider", minds.Called(args[0])))
		return nil
	}
	return c
}
