package tree

// somebody
