//go:build c

package native

/*
static int score(const unsigned char *b, int n) {
	unsigned h = 2166136261u;
	for (int i = 0; i < n; i++) h = (h ^ b[i]) * 16777619u;
	return (int)(h & 0xff);
}
*/
import "C"

import (
	"context"
	"unsafe"

	"example.com/fixtures/burn/run"
)

// Kinds are the programs of this package.
func Kinds() []run.Kind {
	return []run.Kind{{
		Name: "cgo", Profile: "cpu", Topic: "C called for every item", Guilty: `^runtime\.cgocall$`, Culprit: run.Own("native", "(*Scorer).score"),
		Category: "hot-cpu", Start: start,
	}}
}

// A Scorer scores rows.
type Scorer struct {
	rows [][]byte
	sum  int
}

func start(s *run.Service) error {
	c := &Scorer{}
	for i := 0; i < 1000; i++ {
		c.rows = append(c.rows, make([]byte, 64))
	}
	s.Reconcile(1, c.Reconcile)
	return nil
}

// Reconcile is called for each object.
func (c *Scorer) Reconcile(ctx context.Context, key string) error {
	for _, row := range c.rows {
		c.sum += c.score(row)
	}
	return nil
}

func (c *Scorer) score(row []byte) int {
	return int(C.score((*C.uchar)(unsafe.Pointer(&row[0])), C.int(len(row))))
}
