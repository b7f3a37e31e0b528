package steptest

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/txtar"
)

// times ends the name of a file that becomes many equal ones.
var times = regexp.MustCompile(`×(\d+)$`)

// Unfold writes the files of a rule's fixture that become many equal ones after those that they go on with: a file
// whose name ends in "×1000" is that many times in the file before it, with an {id} (from 1004 on), an {id2}, a
// {parent}, an {object} and an {object2} (addresses) of its own each time.
func Unfold(files []txtar.File) ([]txtar.File, error) {
	var all []txtar.File
	next := 1000
	for _, f := range files {
		m := times.FindStringSubmatch(f.Name)
		if m == nil {
			all = append(all, f)
			continue
		}
		n, err := strconv.Atoi(m[1])
		if err != nil || len(all) == 0 {
			return nil, fmt.Errorf("%s: goes on with no file", f.Name)
		}
		last := &all[len(all)-1]
		last.Data = slices.Clip(last.Data) // what follows in the archive's buffer is the crowd's own text
		for range n {
			next += 4
			object := 0xc000800000 + 0x60*next
			last.Data = append(last.Data, strings.NewReplacer(
				"{id}", strconv.Itoa(next), "{id2}", strconv.Itoa(next+1), "{parent}", strconv.Itoa(next+2),
				"{object}", fmt.Sprintf("%#x", object), "{object2}",
				fmt.Sprintf("%#x", object+0x60)).Replace(string(f.Data))...)
		}
	}
	return all, nil
}
