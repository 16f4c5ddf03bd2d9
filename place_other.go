//go:build desktop && !linux

package main

import (
	"context"

	"github.com/wailsapp/wails/v2/pkg/runtime"

	"assay/backend/desktop"
)

// where says where the window is, on the screen that it is on: more is not told of the others. False: it is minimised or fills the screen.
func where(ctx context.Context) (desktop.Place, []desktop.Screen, bool) {
	x, y := runtime.WindowGetPosition(ctx)
	width, height := runtime.WindowGetSize(ctx)
	var screens []desktop.Screen
	if all, err := runtime.ScreenGetAll(ctx); err == nil {
		for _, s := range all {
			if s.IsCurrent {
				screens = []desktop.Screen{{Width: s.Size.Width, Height: s.Size.Height}}
			}
		}
	}
	at := desktop.Place{X: x, Y: y, Width: width, Height: height, Maximised: runtime.WindowIsMaximised(ctx)}
	return at, screens, !runtime.WindowIsMinimised(ctx) && !runtime.WindowIsFullscreen(ctx)
}

func move(ctx context.Context, x, y int) { runtime.WindowSetPosition(ctx, x, y) }

func resize(ctx context.Context, width, height int) { runtime.WindowSetSize(ctx, width, height) }
