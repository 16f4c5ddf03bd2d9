package desktop

// Place is where a window stands, in pixels of the desktop, without what maximises it.
type Place struct {
	X         int  `json:"x"`
	Y         int  `json:"y"`
	Width     int  `json:"width"`
	Height    int  `json:"height"`
	Maximised bool `json:"maximised"`
}

// Screen is the part of a monitor that windows may take.
type Screen struct {
	X, Y, Width, Height int
}

// LeastWidth and LeastHeight are those of the smallest window, in pixels.
const (
	LeastWidth  = 375
	LeastHeight = 500
)

// How much of a window must be on a screen to be taken hold of: a corner of its title bar.
const (
	graspWidth  = 120
	graspHeight = 40
)

// LastPlace is where the window stood last; false: nobody knows, or it makes no sense.
func (f Folder) LastPlace() (Place, bool) {
	var p Place
	const most = 1 << 15 // of a coordinate in X11
	if !f.read(".place.json", &p) || p.Width <= 0 || p.Height <= 0 || p.Width > most || p.Height > most || max(p.X, -p.X, p.Y, -p.Y) > most {
		return Place{}, false
	}
	return p, true
}

// KeepPlace remembers where the window stands. That it cannot be written harms nothing.
func (f Folder) KeepPlace(p Place) { _ = f.write(".place.json", p) }

// Fit puts a window where it can be reached: it stays where it was when its title bar is on a screen, and comes to the middle of the
// first one when that screen is gone. No window is larger than its screen. Without screens nothing is known, and nothing changes.
func (p Place) Fit(screens []Screen) Place {
	if len(screens) == 0 {
		return p
	}
	on, most := screens[0], 0
	for _, s := range screens {
		wide := min(p.X+p.Width, s.X+s.Width) - max(p.X, s.X)
		high := min(p.Y+graspHeight, s.Y+s.Height) - max(p.Y, s.Y)
		if wide >= graspWidth && high >= graspHeight/2 && wide > most {
			on, most = s, wide
		}
	}
	p.Width = max(min(p.Width, on.Width), min(LeastWidth, on.Width))
	p.Height = max(min(p.Height, on.Height), min(LeastHeight, on.Height))
	if most == 0 {
		p.X, p.Y = on.X+(on.Width-p.Width)/2, on.Y+(on.Height-p.Height)/2
	}
	return p
}
