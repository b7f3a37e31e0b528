package profile

// Of returns the sets that a function is of, ascending: for questions that a Query does not ask. The slice is m's.
func (m *Matched) Of(fn int32) []SetID { return m.of[fn] }
