package profile

// A Hit is a stack that a question means, with the innermost and the outermost of the frames that it means: positions
// in the stack's Frames.
type Hit struct {
	Stack        int32
	Inner, Outer int32
}

// A Selection is stacks of a profile, in its order.
type Selection struct {
	View   *View
	Hits   []Hit
	Weight Weight
}
