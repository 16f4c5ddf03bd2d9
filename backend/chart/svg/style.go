package svg

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// palettes are the colours of the house (frontend/src/styles/tokens.css), light and dark, by name.
var palettes = []struct {
	name        string
	light, dark []string
}{
	{
		"category",
		[]string{"#1f6f9f", "#d9861c", "#2f9176", "#c05a84", "#7a6cc0", "#8a8171", "#a65628", "#45a5bd"},
		[]string{"#5aa9d6", "#eaa54a", "#56bd9d", "#e08aae", "#a79be6", "#b3aa9a", "#d08a5c", "#74c8dd"},
	},
	{
		"accent",
		[]string{"#0a3c5c", "#5aa3c6", "#1f6f9f", "#a9cfe2", "#14537c", "#7fb8d4", "#3a88b0", "#c4dfec"},
		[]string{"#bfe0f2", "#2f7aa3", "#5aa9d6", "#24526b", "#94cbea", "#3d8ebc", "#76b9e0", "#1f435a"},
	},
	{
		"warm",
		[]string{"#8a2d12", "#e0a02f", "#c2571f", "#f0c978", "#a84318", "#d07c24", "#6b1f0e", "#e8b552"},
		[]string{"#f6cf94", "#c2571f", "#eaa54a", "#8f3f1a", "#f0ba6c", "#d97a34", "#ffe0b3", "#a84d20"},
	},
	{
		"cool",
		[]string{"#0f4a4a", "#59b5a4", "#2a7f78", "#a5d9cc", "#1b6462", "#83c9ba", "#3f9a8e", "#c6e8df"},
		[]string{"#c5ebe0", "#2f8f80", "#56bd9d", "#1f6259", "#8fd6c4", "#3fa791", "#aee3d4", "#277a6d"},
	},
	{
		"gray",
		[]string{"#2f2d2a", "#a39d92", "#6b675f", "#cbc6bc", "#4d4a45", "#8a8478", "#3d3b37", "#b8b2a7"},
		[]string{"#e9e6e0", "#77736b", "#bcb7ae", "#56534d", "#d3cec5", "#97928a", "#a9a49b", "#65615a"},
	},
}

// ramps are the colours of a heat map from the least to the largest number: that of the house, and for a palette of its own its colours.
var ramps = map[string][2][]string{
	"category": {{"#e7f0f5", "#a9cfe2", "#5aa3c6", "#1f6f9f", "#0a3c5c"}, {"#1d2f3a", "#24526b", "#2f7aa3", "#5aa9d6", "#bfe0f2"}},
	"accent":   {{"#e7f0f5", "#a9cfe2", "#5aa3c6", "#1f6f9f", "#0a3c5c"}, {"#1d2f3a", "#24526b", "#2f7aa3", "#5aa9d6", "#bfe0f2"}},
	"warm":     {{"#fbf0da", "#f0c978", "#e0a02f", "#c2571f", "#6b1f0e"}, {"#33201a", "#8f3f1a", "#c2571f", "#eaa54a", "#ffe0b3"}},
	"cool":     {{"#e6f4f0", "#a5d9cc", "#59b5a4", "#2a7f78", "#0f4a4a"}, {"#16302d", "#1f6259", "#2f8f80", "#56bd9d", "#c5ebe0"}},
	"gray":     {{"#f0eee9", "#cbc6bc", "#a39d92", "#6b675f", "#2f2d2a"}, {"#2b2c2f", "#56534d", "#77736b", "#bcb7ae", "#e9e6e0"}},
}

// Style is the style sheet of all pictures of a page. It wants the page's own colours: --ink, --ink-2, --ink-3, --line, --line-2 and
// --surface. Dark is what stands within dark: a media query or a selector of the page, for instance "@media (prefers-color-scheme: dark)".
func Style(dark string) string {
	var b strings.Builder
	b.WriteString(rules)
	b.WriteString(colors(false))
	b.WriteString(dark + "{\n" + colors(true) + "}\n")
	return b.String()
}

// colors gives every palette its colours as variables: --s0 to --s7, --r0 to --r8.
func colors(dark bool) string {
	var b strings.Builder
	for _, p := range palettes {
		series, ramp := p.light, ramps[p.name][0]
		if dark {
			series, ramp = p.dark, ramps[p.name][1]
		}
		fmt.Fprintf(&b, ".colors-%s{", p.name)
		for i, c := range series {
			fmt.Fprintf(&b, "--s%d:%s;", i, c)
		}
		for i := range rampSteps {
			fmt.Fprintf(&b, "--r%d:%s;", i, between(ramp, float64(i)/(rampSteps-1)))
		}
		b.WriteString("}\n")
	}
	return b.String()
}

// between gives the colour at a place from 0 to 1 of a ramp.
func between(ramp []string, at float64) string {
	at *= float64(len(ramp) - 1)
	i := min(int(at), len(ramp)-2)
	part := at - float64(i)
	out := "#"
	for k := 1; k < 7; k += 2 {
		a, _ := strconv.ParseInt(ramp[i][k:k+2], 16, 32) // the colours above
		b, _ := strconv.ParseInt(ramp[i+1][k:k+2], 16, 32)
		out += fmt.Sprintf("%02x", int(math.Round(float64(a)+part*float64(b-a))))
	}
	return out
}

// rules say what the classes of a picture look like.
var rules = func() string {
	var b strings.Builder
	b.WriteString(`.chart{display:block;max-width:100%;height:auto;font-family:var(--font,system-ui,sans-serif)}
.chart text{fill:var(--ink-2);font-size:11px;font-variant-numeric:tabular-nums}
.chart .tick{fill:var(--ink-3)}
.chart .axis{fill:var(--ink-3);font-weight:500}
.chart .face{fill:var(--ink);font-weight:600}
.chart .label,.chart .inside,.chart .on-low,.chart .on-high{font-size:10px;fill:var(--ink)}
.chart .inside{paint-order:stroke;stroke:var(--surface);stroke-width:2.5px;stroke-opacity:.75}
.chart .on-high{fill:var(--surface)}
.chart .grid{stroke:var(--line);stroke-width:1;shape-rendering:crispEdges}
.chart .base{stroke:var(--line-2)}
.chart .line{fill:none;stroke-width:1.9;stroke-linejoin:round;stroke-linecap:round}
.chart .dashed{stroke-dasharray:5 4}
.chart .part,.chart .cell,.chart .slice{stroke:var(--surface);stroke-width:1}
.chart .slice{stroke-width:1.5}
.chart .area{fill-opacity:.55}
.chart .point{fill-opacity:.72}
.chart .hit{fill:transparent}
.chart .box{fill-opacity:.28;stroke-width:1.2}
.chart .whisker{stroke-width:1.2}
.chart .median{stroke:var(--ink);stroke-width:2}
.chart .line.faint{stroke:var(--ink-3);stroke-width:1;stroke-opacity:.35}
`)
	for i := range mostSeries {
		fmt.Fprintf(&b, ".chart .fill.s%[1]d,.chart .area.s%[1]d,.chart .dot.s%[1]d,.chart .point.s%[1]d,.chart .slice.s%[1]d,.chart .box.s%[1]d{fill:var(--s%[1]d)}\n.chart .line.s%[1]d,.chart .whisker.s%[1]d,.chart .box.s%[1]d{stroke:var(--s%[1]d)}\n", i)
	}
	for i := range rampSteps {
		fmt.Fprintf(&b, ".chart .r%[1]d{fill:var(--r%[1]d)}\n", i)
	}
	return b.String()
}()
