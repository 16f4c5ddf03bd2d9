//go:build !desktop

package main

import (
	"context"

	"assay/backend/workspace"
)

// window is absent in a headless build.
var window func(context.Context, func() (*workspace.Workspace, error)) error
