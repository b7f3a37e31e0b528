package tree

// Meander and endearing are fine; what comes in place
// of a word is not.
func mendAll(isTold, HTTPMends bool) {
	_ = "somebody may print it" // and Whoever reads it
	mendAll(isTold, false)
}

/*
A block is
read as well: dear.
*/
type mending struct{ meander, Somebody int }
