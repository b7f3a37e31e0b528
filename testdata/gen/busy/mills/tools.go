package mills

import (
	"bytes"
	"compress/gzip"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"html/template"
	"image"
	"image/color"
	"image/jpeg"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"example.com/busy/kit"
)

// imageResizer makes small pictures of large ones.
func imageResizer() {
	large := image.NewRGBA(image.Rect(0, 0, 1600, 1200))
	for i := range large.Pix {
		large.Pix[i] = byte(i * 31)
	}
	batch(func() { thumbnail(large, 400, 300) })
}

func thumbnail(src image.Image, w, h int) []byte {
	small := image.NewRGBA(image.Rect(0, 0, w, h))
	b := src.Bounds()
	for y := range h {
		for x := range w {
			var r, g, bl uint32
			for dy := range 4 {
				for dx := range 4 {
					cr, cg, cb, _ := src.At(x*b.Dx()/w+dx, y*b.Dy()/h+dy).RGBA()
					r, g, bl = r+cr, g+cg, bl+cb
				}
			}
			small.Set(x, y, color.RGBA{byte(r >> 12), byte(g >> 12), byte(bl >> 12), 255})
		}
	}
	var out bytes.Buffer
	jpeg.Encode(&out, small, nil)
	return out.Bytes()
}

// A Tail reads lines, drops what its patterns name, and sends batches.
type Tail struct {
	drop  []*regexp.Regexp
	mask  *regexp.Regexp
	batch bytes.Buffer
}

func logShipper() {
	t := &Tail{mask: regexp.MustCompile(`\b\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}\b`)}
	for _, p := range []string{`GET /health`, `(order|rate)/\d+9 `, `user(1|2|3)\d? .*" 500 `} {
		t.drop = append(t.drop, regexp.MustCompile(p))
	}
	lines := logLines(20000)
	batch(func() { t.send(lines) })
}

func (t *Tail) send(lines []string) {
	t.batch.Reset()
	z := gzip.NewWriter(&t.batch)
	for _, l := range lines {
		if slices.ContainsFunc(t.drop, func(r *regexp.Regexp) bool { return r.MatchString(l) }) {
			continue
		}
		io.WriteString(z, t.mask.ReplaceAllString(l, "x.x.x.x"))
	}
	z.Close()
}

// mailRender writes mails from templates.
func mailRender() {
	t := template.Must(template.New("mail").Parse(`<p>Dear {{.Name}},</p><ul>{{range .Lines}}<li>{{.}}</li>{{end}}</ul>` +
		`{{if .Late}}<b>{{printf "%.2f" .Sum}}</b>{{end}}<a href="https://shop/{{.Name}}">see</a>`))
	lines := strings.Fields(string(kit.Words(40)))
	batch(func() { renderMail(t, lines) })
}

func renderMail(t *template.Template, lines []string) string {
	var b strings.Builder
	t.Execute(&b, map[string]any{"Name": "Anna <a@b>", "Lines": lines, "Late": true, "Sum": 12.5})
	return wrap(b.String(), 72)
}

func wrap(s string, width int) string {
	var out []string
	line := ""
	for _, w := range strings.Fields(s) {
		if len(line)+len(w) > width {
			out, line = append(out, line), ""
		}
		line += w + " "
	}
	return strings.Join(append(out, line), "\r\n")
}

// csvJSON converts uploads.
func csvJSON() {
	var table strings.Builder
	table.WriteString("id,name,city,price\n")
	for i := range 2000 {
		fmt.Fprintf(&table, "%d,\"Item, %d\",Ulm,%d.5\n", i, i, i%90)
	}
	text := table.String()
	serve(func(w http.ResponseWriter, _ *http.Request) { convert(w, strings.NewReader(text)) }, 0)
}

func convert(w io.Writer, r io.Reader) {
	rows, err := csv.NewReader(r).ReadAll()
	if err != nil {
		return
	}
	e := json.NewEncoder(w)
	for _, row := range rows[1:] {
		m := map[string]string{}
		for i, c := range row {
			m[rows[0][i]] = c
		}
		e.Encode(m)
	}
}

// A Board is a game's position: queens on a board of eleven, which is as much search as chess.
type Board struct {
	cols, up, down uint32
	seen           map[uint64]int
}

func chessEngine() {
	batch(func() {
		b := &Board{seen: map[uint64]int{}}
		b.search(11, 0)
	})
}

func (b *Board) search(n, depth int) int {
	if depth == n {
		return 1
	}
	key := uint64(b.cols) | uint64(b.up)<<20 | uint64(b.down)<<40
	if v, ok := b.seen[key]; ok {
		return v
	}
	sum := 0
	for free := ^(b.cols | b.up | b.down) & (1<<n - 1); free != 0; free &= free - 1 {
		bit := free & -free
		old := *b
		b.cols, b.up, b.down = b.cols|bit, (b.up|bit)<<1, (b.down|bit)>>1
		sum += b.search(n, depth+1)
		b.cols, b.up, b.down = old.cols, old.up, old.down
	}
	b.seen[key] = sum
	return sum
}

// searchIndex reads documents into an index of words.
func searchIndex() {
	docs := logLines(30000)
	batch(func() { indexDocs(docs) })
}

func indexDocs(docs []string) int {
	postings := map[string][]int32{}
	for i, d := range docs {
		for w := range strings.FieldsFuncSeq(strings.ToLower(d), between) {
			postings[w] = append(postings[w], int32(i))
		}
	}
	words := make([]string, 0, len(postings))
	for w := range postings {
		words = append(words, w)
	}
	slices.Sort(words)
	return len(words)
}

func between(r rune) bool { return !('a' <= r && r <= 'z' || '0' <= r && r <= '9') }

// packService compresses what is posted.
func packService() {
	data := bytes.Repeat(kit.Words(3000), 4)
	serve(func(w http.ResponseWriter, _ *http.Request) { pack(w, data) }, 0)
}

func pack(w io.Writer, data []byte) {
	z, err := gzip.NewWriterLevel(w, 9)
	if err == nil {
		z.Write(data)
		z.Close()
	}
}

// diffTool compares versions of files line by line.
func diffTool() {
	a, b := logLines(3000), logLines(3100)
	for i := range b {
		if i%17 == 0 {
			b[i] += " changed"
		}
	}
	batch(func() { common(a, b) })
}

func common(a, b []string) int {
	row := make([]int, len(b)+1)
	for _, x := range a {
		last := 0
		for j, y := range b {
			next := row[j+1]
			if x == y {
				row[j+1] = last + 1
			} else {
				row[j+1] = max(row[j+1], row[j])
			}
			last = next
		}
	}
	return row[len(b)]
}

// A Rule is a condition on facts.
type Rule struct {
	field, op string
	value     any
}

// rulesEngine judges payments by rules that users write.
func rulesEngine() {
	var all []Rule
	for i := range 300 {
		all = append(all, Rule{[]string{"country", "amount", "shop"}[i%3], []string{"is", "over", "begins"}[i%3],
			[]any{"DE", float64(i), "sho"}[i%3]})
	}
	payment := map[string]any{"country": "FR", "amount": 120.5, "shop": "shop-7"}
	batch(func() {
		for range 100 {
			judge(all, payment)
		}
	})
}

func judge(all []Rule, facts map[string]any) (hits int) {
	for _, r := range all {
		switch v := facts[r.field]; r.op {
		case "is":
			if v == r.value {
				hits++
			}
		case "over":
			if n, ok := v.(float64); ok && n > r.value.(float64) {
				hits++
			}
		case "begins":
			if strings.HasPrefix(fmt.Sprint(v), r.value.(string)) {
				hits++
			}
		}
	}
	return hits
}

// yamlLint reads all manifests of a repository.
func yamlLint() {
	doc := []byte(manifest(500))
	batch(func() {
		var n yaml.Node
		if yaml.Unmarshal(doc, &n) == nil {
			lintNode(&n)
		}
	})
}

func lintNode(n *yaml.Node) (kinds int) {
	for _, c := range n.Content {
		kinds += lintNode(c)
	}
	if n.Value == "kind" {
		kinds++
	}
	return kinds
}

// joinRows joins two tables by a key.
func joinRows() {
	left, right := make([]string, 200000), make([]string, 100000)
	for i := range left {
		left[i] = fmt.Sprint("customer-", i*7919%150001)
	}
	for i := range right {
		right[i] = fmt.Sprint("customer-", i)
	}
	batch(func() { join(left, right) })
}

func join(left, right []string) (n int) {
	at := make(map[string]int, len(right))
	for i, k := range right {
		at[k] = i
	}
	for _, k := range left {
		if _, ok := at[k]; ok {
			n++
		}
	}
	return n
}
