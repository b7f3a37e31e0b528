// Package stream turns callbacks into iterators.
package stream

// An Iter hands out values, one after the other.
type Iter[T any] struct {
	values chan T
}

// Pull starts a goroutine that calls a source.
func Pull[T any](source func(yield func(T))) *Iter[T] {
	it := &Iter[T]{values: make(chan T)}
	go it.produce(source)
	return it
}

func (it *Iter[T]) produce(source func(yield func(T))) {
	source(func(v T) { it.values <- v })
	close(it.values)
}

// Next is the next value.
func (it *Iter[T]) Next() (T, bool) {
	v, ok := <-it.values
	return v, ok
}

// Start takes the first of many rows, twelve times.
func Start() {
	for i := 0; i < 12; i++ {
		first(rows)
	}
}

func first(source func(func(string))) string {
	row, _ := Pull(source).Next()
	return row
}

func rows(yield func(string)) {
	for _, row := range []string{"one", "two", "three"} {
		yield(row)
	}
}
