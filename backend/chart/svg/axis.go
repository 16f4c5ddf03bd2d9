package svg

import (
	"math"
	"slices"
	"time"

	"assay/backend/frameview"
)

// numberRoom is what the labels of an upright axis of numbers take.
func numberRoom(s scale, percent bool) float64 {
	widest := 0.0
	for _, t := range s.ticks {
		widest = math.Max(widest, wide(brief(t, percent), small))
	}
	return widest + 8
}

// numbersLeft draws an upright axis of numbers: lines across the panel, the title above it.
func (d *drawing) numbersLeft(p *pen, in box, s scale, title string, percent bool) {
	for _, t := range s.ticks {
		y := s.at(t)
		class := "grid"
		if t == 0 {
			class = "grid base"
		}
		p.empty("line", "class", class, "x1", in.left, "x2", in.right(), "y1", y, "y2", y)
		p.leaf("text", brief(t, percent), "class", "tick", "x", in.left-7, "y", y+3.5, "text-anchor", "end")
	}
	d.titleAbove(p, in, title)
}

func (d *drawing) titleAbove(p *pen, in box, title string) {
	p.words(title, in.width, small, "class", "axis", "x", in.left, "y", in.top-9)
}

func (d *drawing) titleBelow(p *pen, in box, title string, down float64) {
	p.words(title, in.width, small, "class", "axis", "x", in.left+in.width/2, "y", in.bottom()+down, "text-anchor", "middle")
}

// numbersBelow draws an axis of numbers under a panel.
func (d *drawing) numbersBelow(p *pen, in box, s scale, title string, percent bool) {
	every := 1
	for every < len(s.ticks) && (in.width/float64(max(1, (len(s.ticks)-1)/every))) < numberRoom(s, percent)+6 {
		every++
	}
	for i, t := range s.ticks {
		x := s.at(t)
		class := "grid"
		if t == 0 {
			class = "grid base"
		}
		p.empty("line", "class", class, "x1", x, "x2", x, "y1", in.top, "y2", in.bottom())
		if i%every == 0 {
			p.leaf("text", brief(t, percent), "class", "tick", "x", x, "y", in.bottom()+15, "text-anchor", "middle")
		}
	}
	d.titleBelow(p, in, title, 31)
}

// bands divide a stretch among members.
type bands struct {
	order []string
	from  float64
	step  float64
}

func bandsOf(order []string, from, length float64) bands {
	return bands{order, from, length / float64(max(1, len(order)))}
}

// middle is the middle of the band of a member; false: it has none.
func (b bands) middle(name string) (float64, bool) {
	i := slices.Index(b.order, name)
	return b.from + (float64(i)+0.5)*b.step, i >= 0
}

// thick is how wide a mark in a band is.
func (b bands) thick() float64 { return math.Min(b.step*0.76, 64) }

// turned says whether members under a panel have no room side by side.
func (d *drawing) turned(width float64) bool {
	if d.timed {
		return false
	}
	step := width / float64(max(1, len(d.order)))
	return slices.ContainsFunc(d.order, func(name string) bool { return wide(name, small) > step-6 }) && step < 70
}

const turnedLetters = 104.0

// membersRoom is what members under a panel take, with their title.
func (d *drawing) membersRoom(width float64) float64 {
	if !d.turned(width) {
		return 36
	}
	longest := 0.0
	for _, name := range d.order {
		longest = math.Max(longest, wide(name, small))
	}
	return 36 + math.Min(longest, turnedLetters)*0.6
}

// leftRoom is what is at the left of a panel: what its own axis takes, or the turned name of the first member.
func (d *drawing) leftRoom(own, width float64) float64 {
	if len(d.order) == 0 || !d.turned(width-own-4) {
		return own
	}
	step := (width - own) / float64(len(d.order))
	return math.Max(own, math.Min(wide(d.order[0], small), turnedLetters)*0.79-step/2+4)
}

// membersBelow writes the members of bands under a panel: side by side, turned where there is no room, and every second or third one
// where there are too many.
func (d *drawing) membersBelow(p *pen, in box, b bands) {
	down := d.membersRoom(in.width) - 6
	if d.turned(in.width) {
		every := int(math.Ceil(14 / b.step))
		for i, name := range b.order {
			if i%every != 0 {
				continue
			}
			x := b.from + (float64(i)+0.5)*b.step
			p.words(name, turnedLetters, small, "class", "tick", "text-anchor", "end", "transform", "translate("+number(x+3)+" "+number(in.bottom()+13)+") rotate(-38)")
		}
		d.titleBelow(p, in, titleOf(d.x), down)
		return
	}
	every := 1
	if d.timed {
		widest := 0.0
		for _, name := range b.order {
			widest = math.Max(widest, wide(name, small))
		}
		every = int(math.Max(1, math.Ceil((widest+10)/b.step)))
	}
	for i, name := range b.order {
		if i%every == 0 {
			p.words(name, math.Max(b.step*float64(every)-4, 20), small, "class", "tick", "x", b.from+(float64(i)+0.5)*b.step, "y", in.bottom()+15, "text-anchor", "middle")
		}
	}
	d.titleBelow(p, in, titleOf(d.x), down)
}

// namesRoom is what names at the left of a panel take.
func namesRoom(all []string, width float64) float64 {
	longest := 0.0
	for _, name := range all {
		longest = math.Max(longest, wide(name, small))
	}
	return math.Min(longest+1, math.Max(64, math.Min(190, width*0.32))) + 9
}

// namesLeft writes names at the left of a panel, one a band.
func namesLeft(p *pen, in box, b bands) {
	every := int(math.Max(1, math.Ceil(12/b.step)))
	for i, name := range b.order {
		if i%every == 0 {
			p.words(name, in.left-8, small, "class", "tick", "x", in.left-7, "y", b.from+(float64(i)+0.5)*b.step+3.8, "text-anchor", "end")
		}
	}
}

// timeBelow draws an axis of time under a panel. Values are seconds.
func (d *drawing) timeBelow(p *pen, in box, s scale) {
	from, to := instant(s.lo), instant(s.hi)
	at, words := timeTicks(from, to, max(2, int(in.width/82)), d.x.Grain)
	p.empty("line", "class", "grid base", "x1", in.left, "x2", in.right(), "y1", in.bottom(), "y2", in.bottom())
	for i, t := range at {
		x := s.at(float64(t.Unix()))
		p.empty("line", "class", "grid base", "x1", x, "x2", x, "y1", in.bottom(), "y2", in.bottom()+4)
		p.leaf("text", words[i], "class", "tick", "x", x, "y", in.bottom()+16, "text-anchor", "middle")
	}
	d.titleBelow(p, in, titleOf(d.x), 32)
}

func instant(seconds float64) time.Time { return time.Unix(int64(seconds), 0).UTC() }

// percent says whether the numbers of the upright axis are fractions that are read in hundredths.
func (d *drawing) percent() bool {
	return d.y.Format == frameview.Percent && d.edit.Aggregate != "count"
}

// numbersTitle is the title of the axis of numbers: of several numbers of one unit that unit.
func (d *drawing) numbersTitle() string {
	if d.edit.Color == "" && len(d.series) > 1 && !d.compared {
		return d.y.Unit
	}
	return titleOf(d.y)
}
