package desktop

import "io/fs"

// Graphics says how a window is drawn.
type Graphics struct {
	Safe    bool // without the graphics card
	Crashed bool // because a start ended before anything was drawn, not because somebody asked
}

// drawn is what is kept about the last start: whether it is still without a first picture, and whether a crash led to safe mode.
type drawn struct {
	Unpainted bool `json:"unpainted"`
	Crashed   bool `json:"crashed"`
}

// BeginDrawing says how the window is to be drawn, and notes that nothing is drawn yet. A start that was noted and never painted was
// a crash: from then on the window is safe, until TryGraphics. Only the first process of the folder may call it. asked is safe mode
// for this start alone.
func (f Folder) BeginDrawing(asked bool) Graphics {
	var last drawn
	f.read(".drawn.json", &last)
	crashed := last.Crashed || last.Unpainted
	_ = f.write(".drawn.json", drawn{Unpainted: true, Crashed: crashed})
	return Graphics{Safe: asked || crashed, Crashed: crashed && !asked}
}

// Painted notes that the first picture is there, or that the window ended well without one.
func (f Folder) Painted() {
	var last drawn
	f.read(".drawn.json", &last)
	if last.Unpainted {
		last.Unpainted = false
		_ = f.write(".drawn.json", last)
	}
}

// TryGraphics lets the next start use the graphics card again.
func (f Folder) TryGraphics() error {
	return f.write(".drawn.json", drawn{})
}

// SafeEnvironment is what WebKitGTK is told to draw without the graphics card: no buffers shared with it, no layers composed by it, and
// OpenGL in software.
func SafeEnvironment() map[string]string {
	return map[string]string{"WEBKIT_DISABLE_DMABUF_RENDERER": "1", "WEBKIT_DISABLE_COMPOSITING_MODE": "1", "LIBGL_ALWAYS_SOFTWARE": "1"}
}

// HasCard says whether a Linux system has a graphics card to draw with, by what stands in its /dev. Without one the card is only imitated, by code that may fall over in the
// middle of drawing and takes the page with it.
func HasCard(dev fs.FS) bool {
	for _, pattern := range []string{"dri/*", "dxg", "nvidia[0-9]*"} { // of any maker, of the Windows around a Linux within it, of one maker's own driver
		if found, err := fs.Glob(dev, pattern); err == nil && len(found) > 0 {
			return true
		}
	}
	return false
}
