// Package logs measures how fast lines of logs become patterns and how well they are grouped, side by side with Drain.
// README.md has the figures.
package logs

import (
	"strings"
	"unicode"
)

// A Drain is the algorithm of He et al. (Drain: An Online Log Parsing Approach with Fixed Depth Tree, ICWS 2017) with
// the rules and defaults of Drain3, written from that description: words between blanks, a tree of fixed depth over the
// number of words and the first ones, numbers as parameters, similarity over equal words.
type Drain struct {
	depth, maxChildren int
	threshold          float64
	byLength           map[int]*node
	clusters           int
}

type node struct {
	children map[string]*node
	clusters []*cluster
}

type cluster struct {
	id       int
	template []string
	size     int
}

// param replaces a word that differs.
const param = "<*>"

// NewDrain returns a Drain without clusters. Drain3's defaults are depth 4, 100 children, threshold 0.4.
func NewDrain(depth, maxChildren int, threshold float64) *Drain {
	return &Drain{depth: depth - 2, maxChildren: maxChildren, threshold: threshold, byLength: map[int]*node{}}
}

// Clusters returns the number of clusters.
func (d *Drain) Clusters() int { return d.clusters }

// Line adds a line and returns the number of its cluster.
func (d *Drain) Line(line string) int {
	words := strings.Fields(line)
	c := d.match(words)
	if c == nil {
		c = &cluster{id: d.clusters, template: words}
		d.clusters++
		d.insert(c)
	} else {
		for i, w := range words {
			if c.template[i] != w {
				c.template[i] = param
			}
		}
	}
	c.size++
	return c.id
}

func (d *Drain) match(words []string) *cluster {
	n := d.byLength[len(words)]
	if n == nil {
		return nil
	}
	for i, w := range words {
		if i+1 >= d.depth {
			break
		}
		next := n.children[w]
		if next == nil {
			next = n.children[param]
		}
		if next == nil {
			return nil
		}
		n = next
	}
	var best *cluster
	most, params := -1.0, -1
	for _, c := range n.clusters {
		share, p := similarity(c.template, words)
		if share > most || share == most && p > params {
			best, most, params = c, share, p
		}
	}
	if most < d.threshold {
		return nil
	}
	return best
}

func similarity(template, words []string) (share float64, params int) {
	if len(words) == 0 {
		return 1, 0
	}
	equal := 0
	for i, t := range template {
		switch t {
		case param:
			params++
		case words[i]:
			equal++
		}
	}
	return float64(equal) / float64(len(words)), params
}

func (d *Drain) insert(c *cluster) {
	n := d.byLength[len(c.template)]
	if n == nil {
		n = &node{children: map[string]*node{}}
		d.byLength[len(c.template)] = n
	}
	for i, w := range c.template {
		if i+1 >= d.depth {
			break
		}
		key, size := w, len(n.children)
		if n.children[param] == nil {
			size++ // it keeps room for one
		}
		if n.children[w] == nil && (size >= d.maxChildren || strings.ContainsFunc(w, unicode.IsDigit)) {
			key = param
		}
		if n.children[key] == nil {
			n.children[key] = &node{children: map[string]*node{}}
		}
		n = n.children[key]
	}
	n.clusters = append(n.clusters, c)
}
