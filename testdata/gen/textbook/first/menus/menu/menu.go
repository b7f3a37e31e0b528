// Package menu is the menu of a site.
package menu

// An Item has items below it.
type Item struct {
	title    string
	children []*Item
}

// A Tree has all items.
type Tree struct{ items []*Item }

// New has seven items.
func New() *Tree {
	t := &Tree{}
	for _, title := range []string{"home", "news", "shop", "help", "jobs", "press", "legal"} {
		t.items = append(t.items, &Item{title: title})
	}
	return t
}

// Move puts an item below another.
func (t *Tree) Move(i, below int) {
	t.items[below].children = append(t.items[below].children, t.items[i])
}

// Deepest is the depth of the deepest item.
func (t *Tree) Deepest() (depth int) {
	for _, item := range t.items {
		depth = max(depth, item.Depth())
	}
	return depth
}

// Depth is the number of levels below an item, and its own.
func (i *Item) Depth() int {
	depth := 0
	for _, child := range i.children {
		depth = max(depth, child.Depth())
	}
	return depth + 1
}
