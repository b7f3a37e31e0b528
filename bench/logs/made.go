package logs

import (
	"bytes"
	"fmt"
	"math/rand/v2"
)

// madeLines is how many lines the made inputs have.
const madeLines = 4_000

// Made returns inputs that are made of words drawn at random, the same in every run: lines that are all forms of their
// own, lines of a few forms, long lines and lines of JSON.
func Made() []Input {
	return []Input{
		made("all new", func(w *words, _ int) { w.some(6 + w.r.IntN(10)) }),
		made("few forms", func(w *words, i int) {
			fmt.Fprintf(w, "I1120 18:%02d:%02d.123456       1 sync.go:%d] \"Synced\" object=\"shop/web-%d\" "+
				"duration=\"%dms\"", i/60%60, i%60, 100+w.r.IntN(20), w.r.IntN(500), w.r.IntN(1000))
		}),
		made("long lines", func(w *words, i int) {
			fmt.Fprintf(w, "2026-11-20T18:05:%02dZ sent %d ", i%60, i)
			for range 12 {
				w.WriteString("the object of the request was {name: web-")
				fmt.Fprint(w, w.r.IntN(1000), ", labels: ")
				w.some(w.r.IntN(3))
				w.WriteString("} and it was left as it is, because nothing in it had changed since then; ")
			}
		}),
		made("JSON", func(w *words, i int) {
			fmt.Fprintf(w, `{"level":"info","ts":"2026-11-20T18:05:%02d.%03dZ","caller":"web/server.go:%d",`+
				`"msg":"request done","method":"GET","path":"/api/v1/orders/%d","status":200,"user":"%s","took_ms":%d}`,
				i%60, w.r.IntN(1000), 40+w.r.IntN(8), w.r.IntN(100_000), w.word(), w.r.IntN(400))
		}),
	}
}

// words writes words of a vocabulary.
type words struct {
	bytes.Buffer
	r    *rand.Rand
	list []string
}

func (w *words) word() string { return w.list[w.r.IntN(len(w.list))] }

func (w *words) some(n int) {
	for i := range n {
		if i > 0 {
			w.WriteByte(' ')
		}
		w.WriteString(w.word())
	}
}

func made(name string, write func(w *words, i int)) Input {
	w := &words{r: rand.New(rand.NewPCG(1, 2))}
	for range 20_000 {
		word := make([]byte, 3+w.r.IntN(8))
		for i := range word {
			word[i] = byte('a' + w.r.IntN(26))
		}
		w.list = append(w.list, string(word))
	}
	in := Input{Name: name}
	for i := range madeLines {
		w.Reset()
		write(w, i)
		in.add(bytes.Clone(w.Bytes()))
	}
	return in
}
