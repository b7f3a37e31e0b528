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
	if t.items[i].holds(t.items[below]) {
		return
	}
	for _, item := range t.items {
		item.drop(t.items[i])
	}
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

func (i *Item) holds(other *Item) bool {
	if i == other {
		return true
	}
	for _, child := range i.children {
		if child.holds(other) {
			return true
		}
	}
	return false
}

func (i *Item) drop(child *Item) {
	for k, c := range i.children {
		if c == child {
			i.children = append(i.children[:k:k], i.children[k+1:]...)
			return
		}
	}
}
