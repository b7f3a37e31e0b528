// Command scene-graph renders frames of a scene. Each node has a lock of its own, held hand over hand from the root to the
// leaf; a leaf that is drawn takes half a second, and other frames wait along the path.
package main

import (
	"sync"
	"time"

	"wild/kit"
)

type node struct {
	mu       sync.Mutex
	name     string
	children []*node
	frames   int
}

// visit draws a node and what is below it. The lock of a node is held while its child is drawn.
func (n *node) visit(draw func(*node)) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.frames++
	if len(n.children) == 0 {
		draw(n)
		return
	}
	n.each(func(child *node) { child.visit(draw) })
}

func (n *node) each(f func(*node)) {
	for _, child := range n.children {
		f(child)
	}
}

func tree(name string, depth int) *node {
	n := &node{name: name}
	for i := 0; depth > 0 && i < 2; i++ {
		n.children = append(n.children, tree(name+"/"+string(rune('a'+i)), depth-1))
	}
	return n
}

// draw renders a leaf: the device answers by a timer.
func draw(n *node) {
	done := make(chan struct{})
	time.AfterFunc(500*time.Millisecond, func() { close(done) })
	<-done
}

func main() {
	kit.Serve()
	scenes := []*node{tree("city", 4), tree("forest", 4)}
	for frame := 0; ; frame++ {
		scene := scenes[frame%len(scenes)]
		// Parts of the scene may be drawn alone, too.
		part := scene
		for d := 0; d < frame%4; d++ {
			part = part.children[(frame>>d)&1]
		}
		go part.visit(draw)
		time.Sleep(2500 * time.Millisecond)
	}
}
