package stackparse_test

import (
	"fmt"
	"log"
	"strings"

	"github.com/gotriage/triage/stackparse"
)

const crash = `2026/03/04 05:06:07 starting
fatal error: all goroutines are asleep - deadlock!

goroutine 1 [sync.WaitGroup.Wait]:
sync.runtime_SemacquireWaitGroup(0xc000012090?)
	/usr/local/go/src/runtime/sema.go:110 +0x25
sync.(*WaitGroup).Wait(0xc000012088)
	/usr/local/go/src/sync/waitgroup.go:118 +0x48
main.main()
	/src/main.go:19 +0xa5

goroutine 6 [chan send]:
main.work(0xc00001a070, 0x3)
	/src/main.go:9 +0x3c
created by main.main in goroutine 1
	/src/main.go:15 +0x8d

goroutine 7 [chan send]:
main.work(0xc00001a070, 0x4)
	/src/main.go:9 +0x3c
created by main.main in goroutine 1
	/src/main.go:15 +0x8d
`

func ExampleParse() {
	dumps, err := stackparse.Parse(strings.NewReader(crash))
	if err != nil {
		log.Fatal(err)
	}
	for _, d := range dumps {
		fmt.Printf("%s: %s, %d goroutines\n", d.Cause.Kind, d.Cause.Text, d.Goroutines)
		for _, b := range d.Buckets {
			leaf := b.Frames[b.Shown[0]]
			fmt.Printf("%d in %s at %s:%d\n", b.Count, b.Class, leaf.Func, leaf.Line)
		}
	}
	// Output:
	// fatal: all goroutines are asleep - deadlock!, 3 goroutines
	// 2 in chan send at main.work:9
	// 1 in waitgroup at sync.runtime_SemacquireWaitGroup:110
}

// A Parser takes lines with their numbers, so that the framing of a log can be taken off before.
func ExampleParser() {
	p := stackparse.NewParser(func(d *stackparse.Dump) {
		fmt.Printf("lines %d to %d: %s\n", d.Line, d.EndLine, d.Format)
	})
	num := int64(0)
	for line := range strings.Lines(crash) {
		num++
		p.Line([]byte(strings.TrimSuffix(line, "\n")), num, nil)
	}
	p.Close()
	// Output:
	// lines 2 to 22: signal
}

func ExampleBucket_Args() {
	dumps, err := stackparse.Parse(strings.NewReader(crash))
	if err != nil {
		log.Fatal(err)
	}
	for _, a := range dumps[0].Buckets[0].Args() {
		for _, w := range a.Words {
			fmt.Printf("%#x ", w.Value)
		}
	}
	// Output:
	// 0xc00001a070 0x3
}

// Compare follows the goroutines of one process from dump to dump.
func ExampleCompare() {
	later := strings.ReplaceAll(crash, "goroutine 7 ", "goroutine 8 ")
	dumps, err := stackparse.Parse(strings.NewReader(crash + "\n" + later))
	if err != nil {
		log.Fatal(err)
	}
	c := stackparse.Compare(dumps, stackparse.StackKey)
	fmt.Printf("%+v\n", c.Steps)
	for _, row := range c.Rows {
		fmt.Println(row.Last().Bucket.Class, row.Counts(len(dumps)), "stuck:", len(row.Stuck))
	}
	// Output:
	// [{Stayed:2 Moved:0 New:1 Gone:1}]
	// chan send [2 2] stuck: 1
	// waitgroup [1 1] stuck: 1
}
