// Package well holds services with nothing wrong that are busy: each looks as if it spun, wasted or hoarded.
package well

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/pbkdf2"
	"crypto/rand"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"html/template"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"sort"
	"strings"
	"sync"
	"time"

	"example.com/busy/kit"
	"example.org/markup"
)

// Programs are the services of this package.
var Programs = map[string]func(){
	"upload-hash": uploadHash, "page-zip": pageZip, "order-intake": orderIntake, "wiki-render": wikiRender,
	"tls-front": tlsFront, "token-verify": tokenVerify, "login-check": loginCheck, "picture-scale": pictureScale,
	"orbit-batch": orbitBatch, "move-search": moveSearch, "row-import": rowImport, "term-index": termIndex,
	"tile-store": tileStore, "table-warm": tableWarm, "secret-scan": secretScan, "front-pages": frontPages,
	"doc-search": docSearch, "run-sort": runSort, "source-parse": sourceParse, "kv-engine": kvEngine,
	"topic-broker": topicBroker, "fast-ticks": fastTicks, "lock-adaptive": lockAdaptive, "cell-steps": cellSteps,
	"frame-ring": frameRing, "night-report": nightReport, "text-diff": textDiff, "near-shops": nearShops,
	"hash-chain": hashChain, "path-value": pathValue, "timer-wheel": timerWheel, "line-tail": lineTail,
	"session-hold": sessionHold, "data-load": dataLoad, "base-stream": baseStream, "try-flush": tryFlush,
}

func uploadHash() {
	kit.Start()
	kit.Listen(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := sha512.New()
		io.Copy(h, r.Body)
		fmt.Fprintf(w, "%x", h.Sum(nil))
	}), "/upload", 4, 0, 400_000)
	kit.Wait()
}

var zips = sync.Pool{New: func() any { return gzip.NewWriter(io.Discard) }}

// zipped compresses what a handler writes.
func zipped(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		z := zips.Get().(*gzip.Writer)
		defer zips.Put(z)
		z.Reset(w)
		w.Header().Set("Content-Encoding", "gzip")
		next.ServeHTTP(zipWriter{w, z}, r)
		z.Close()
	})
}

type zipWriter struct {
	http.ResponseWriter
	z *gzip.Writer
}

func (w zipWriter) Write(p []byte) (int, error) { return w.z.Write(p) }

func pageZip() {
	kit.Start()
	text := kit.Words(20000)
	kit.Listen(zipped(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.Write(text) })), "/", 4, 0, 0)
	kit.Wait()
}

type intake struct {
	ID    int `json:"id"`
	Lines []struct {
		Article string  `json:"article"`
		Count   int     `json:"count"`
		Price   float64 `json:"price"`
	} `json:"lines"`
}

// takeOrder decodes an order and answers with its total.
func takeOrder(w http.ResponseWriter, r *http.Request) {
	var o intake
	if err := json.NewDecoder(r.Body).Decode(&o); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	total := 0.0
	for _, l := range o.Lines {
		total += float64(l.Count) * l.Price
	}
	json.NewEncoder(w).Encode(map[string]any{"id": o.ID, "total": total})
}

func orderIntake() {
	kit.Start()
	var text strings.Builder
	text.WriteString(`{"id":17,"lines":[`)
	for i := range 200 {
		fmt.Fprintf(&text, `{"article":"a-%d","count":%d,"price":%d.5},`, i, i%7, i%99)
	}
	order := strings.TrimSuffix(text.String(), ",") + "]}"
	kit.Listen(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Body = io.NopCloser(strings.NewReader(order)) // the load posts no orders
		takeOrder(w, r)
	}), "/order", 6, 0, 0)
	kit.Wait()
}

// renderWiki turns a page with marks into HTML.
func renderWiki(out *bytes.Buffer, text []byte) {
	for len(text) > 0 {
		switch {
		case text[0] == '*':
			if end := bytes.IndexByte(text[1:], '*'); end >= 0 {
				out.WriteString("<b>")
				renderWiki(out, text[1:1+end])
				out.WriteString("</b>")
				text = text[end+2:]
				continue
			}
			out.WriteByte('*')
		case text[0] == '<':
			out.WriteString("&lt;")
		case text[0] == ' ' && len(text) > 1 && text[1] == ' ':
		default:
			out.WriteByte(text[0])
		}
		text = text[1:]
	}
}

func wikiRender() {
	kit.Start()
	page := bytes.ReplaceAll(kit.Words(6000), []byte("order"), []byte("*order <b>*"))
	kit.Listen(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		var out bytes.Buffer
		renderWiki(&out, page)
		w.Write(out.Bytes()[:100])
	}), "/wiki/start", 4, 0, 0)
	kit.Wait()
}

func tlsFront() {
	kit.Start()
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Write([]byte("hello"))
	}))
	fmt.Printf("load %s/ 4 0 0 new\n", server.URL)
	kit.Wait()
}

func tokenVerify() {
	kit.Start()
	key, _ := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	sum := sha256.Sum256([]byte("token"))
	sig, _ := ecdsa.SignASN1(rand.Reader, key, sum[:])
	kit.Listen(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		sum := sha256.Sum256([]byte(r.URL.Query().Get("t")))
		fmt.Fprint(w, ecdsa.VerifyASN1(&key.PublicKey, sum[:], sig))
	}), "/verify?t=token", 6, 0, 0)
	kit.Wait()
}

func loginCheck() {
	kit.Start()
	salt := []byte("0123456789abcdef")
	kit.Listen(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		sum, _ := pbkdf2.Key(sha256.New, r.URL.Query().Get("p"), salt, 100_000, 32)
		fmt.Fprintf(w, "%x", sum)
	}), "/login?p=secret", 3, 20*time.Millisecond, 0)
	kit.Wait()
}

var secrets = []*regexp.Regexp{
	regexp.MustCompile(`AKIA[0-9A-Z]{16}`), regexp.MustCompile(`-----BEGIN [A-Z ]+ KEY-----`),
	regexp.MustCompile(`^ghp_[A-Za-z0-9]{36}`), regexp.MustCompile(`xox[bp]-[0-9]{10,12}`),
}

// scan counts lines with secrets.
func scan(text []byte) (n int) {
	for line := range bytes.Lines(text) {
		for _, s := range secrets {
			if s.Match(line) {
				n++
			}
		}
	}
	return n
}

func secretScan() {
	kit.Start()
	text := bytes.ReplaceAll(kit.Words(30000), []byte("order "), []byte("order\n"))
	kit.Listen(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, scan(text))
	}), "/scan", 4, 0, 0)
	kit.Wait()
}

var front = template.Must(template.New("front").Parse(
	`<h1>{{.Title}}</h1>{{range .Rows}}<p class="{{.}}">{{.}}</p>{{end}}`))

func frontPages() {
	kit.Start()
	rows := strings.Fields(string(kit.Words(300)))
	kit.Listen(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		front.Execute(w, map[string]any{"Title": "Front", "Rows": rows})
	}), "/", 4, 0, 0)
	kit.Wait()
}

// search counts the documents that hold all words of a question.
func search(docs []string, words []string) (n int) {
next:
	for _, d := range docs {
		for _, w := range words {
			if !strings.Contains(d, w) {
				continue next
			}
		}
		n++
	}
	return n
}

func docSearch() {
	kit.Start()
	var docs []string
	for i := range 2000 {
		docs = append(docs, string(kit.Words(100+i%200)))
	}
	kit.Listen(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, search(docs, []string{"warehouse", "carrier", "invoices"}))
	}), "/search", 4, 0, 0)
	kit.Wait()
}

// A Store is a map with a log.
type Store struct {
	mu  sync.RWMutex
	by  map[string][]byte
	log *bufio.Writer
	n   uint32
}

// Put writes a value.
func (s *Store) Put(key string, value []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.by[key] = value
	var head [8]byte
	binary.LittleEndian.PutUint32(head[:], crc32.ChecksumIEEE(value))
	s.log.Write(head[:])
	s.log.Write(value)
	if s.n++; s.n%64 == 0 {
		s.log.Flush()
	}
}

// Get reads a value.
func (s *Store) Get(key string) []byte {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.by[key]
}

func kvEngine() {
	kit.Start()
	s := &Store{by: map[string][]byte{}, log: bufio.NewWriterSize(io.Discard, 1<<16)}
	keys := make([]string, 20000)
	for i := range keys {
		keys[i] = fmt.Sprintf("key-%06d", i)
	}
	for k := range 6 {
		go func() {
			value := make([]byte, 100)
			for i := k; ; i++ {
				if i%5 == 0 {
					s.Put(keys[i*31%len(keys)], value)
				} else {
					s.Get(keys[i*17%len(keys)])
				}
				if i%5000 == 0 {
					time.Sleep(time.Millisecond)
				}
			}
		}()
	}
	kit.Wait()
}

// baseStream encodes what it is sent.
func baseStream() {
	kit.Start()
	kit.Listen(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		e := base64.NewEncoder(base64.StdEncoding, w)
		io.Copy(e, r.Body)
		e.Close()
	}), "/encode", 4, 0, 300_000)
	kit.Wait()
}

// lineTail decodes lines of a pipe, as a shipper of logs does.
func lineTail() {
	kit.Start()
	r, w := io.Pipe()
	go func() {
		line := []byte(`{"level":"info","msg":"request","status":200,"path":"/articles/17","ms":3.5}` + "\n")
		block := bytes.Repeat(line, 40)
		for {
			w.Write(block)
		}
	}()
	go func() {
		by := map[string]int{}
		lines := bufio.NewScanner(r)
		for lines.Scan() {
			var l struct {
				Level, Msg, Path string
				Status           int
			}
			if json.Unmarshal(lines.Bytes(), &l) == nil {
				by[l.Path]++
			}
		}
	}()
	kit.Wait()
}

// checkLetters lexes templates of letters, all of which end.
func wellLex(texts []string) (n int) {
	for _, t := range texts {
		k, _ := markup.Lex(t)
		n += k
	}
	return n
}

func sortedWords(text []byte) []string {
	words := strings.Fields(string(text))
	sort.Strings(words)
	return words
}

func runSort() {
	kit.Start()
	go func() {
		for {
			words := sortedWords(kit.Words(60000))
			_ = words[0]
			time.Sleep(time.Millisecond)
		}
	}()
	kit.Wait()
}

func sourceParse() {
	kit.Start()
	texts := []string{string(kit.Words(4000)), `dear "customer of the shop" thank you`, strings.Repeat(`a "b" `, 3000)}
	kit.Listen(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, wellLex(texts))
	}), "/lex", 4, 0, 0)
	kit.Wait()
}
