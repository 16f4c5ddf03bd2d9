package cli

import (
	"fmt"
	"runtime"

	"github.com/spf13/cobra"

	"assay/backend/text"
)

func (p Program) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: text.Say("cli.version_short"), Args: exactly(0, 0, ""),
		RunE: func(*cobra.Command, []string) error {
			window := "headless"
			if p.Window != nil {
				window = "window"
			}
			_, err := fmt.Fprintf(p.Stdout, "assay %s (%s, %s/%s, %s)\n", p.Version, window, runtime.GOOS, runtime.GOARCH, runtime.Version())
			return err
		},
	}
}
