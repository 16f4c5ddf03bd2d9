//go:build !desktop

package main

import (
	"context"

	"assay/backend/cli"
)

// window is absent in a headless build.
var window func(context.Context, cli.WindowStart) error
