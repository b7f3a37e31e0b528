// Package walk lists the files of a tree that is to be synchronised.
package walk

// A File has a path and a size.
type File struct {
	Path string
	Size int64
}

// Start looks for a large file in five trees.
func Start() {
	for i := 0; i < 5; i++ {
		FirstLarge([]File{{"a", 10}, {"b", 1 << 30}, {"c", 20}, {"d", 1 << 31}})
	}
}

// FirstLarge is the first file above a mebibyte.
func FirstLarge(tree []File) (File, bool) {
	for f := range scan(tree) {
		if f.Size > 1<<20 {
			return f, true
		}
	}
	return File{}, false
}

func scan(tree []File) <-chan File {
	files := make(chan File)
	go func() {
		defer close(files)
		for _, f := range tree {
			files <- f
		}
	}()
	return files
}
