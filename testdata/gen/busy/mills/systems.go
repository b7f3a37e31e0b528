package mills

import (
	"crypto/ed25519"
	"crypto/rand"
	"crypto/x509"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"io/fs"
	"math/big"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"example.com/busy/kit"
)

// fileWalker looks for what changed below a folder.
func fileWalker() {
	root := filepath.Join(runtime.GOROOT(), "src")
	if _, err := os.Stat(root); err != nil {
		root = "/usr"
	}
	seen := map[string]time.Time{}
	batch(func() { walk(root, seen) })
}

func walk(root string, seen map[string]time.Time) {
	filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return nil
		}
		if info, err := d.Info(); err == nil && info.ModTime().After(seen[path]) {
			seen[path] = info.ModTime()
		}
		return nil
	})
}

// A Claim is what a token says.
type Claim struct {
	User string `json:"sub"`
	Ends int64  `json:"exp"`
}

// jwtSign issues tokens.
func jwtSign() {
	_, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		panic(err)
	}
	batch(func() { issueToken(key, "anna") })
}

func issueToken(key ed25519.PrivateKey, user string) string {
	body, _ := json.Marshal(Claim{user, time.Now().Unix() + 3600})
	text := "eyJhbGciOiJFZERTQSJ9." + base64.RawURLEncoding.EncodeToString(body)
	return text + "." + base64.RawURLEncoding.EncodeToString(ed25519.Sign(key, []byte(text)))
}

// jwtVerify lets requests in.
func jwtVerify() {
	public, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		panic(err)
	}
	t := issueToken(key, "anna")
	batch(func() { letIn(public, t) })
}

func letIn(key ed25519.PublicKey, t string) bool {
	i := strings.LastIndexByte(t, '.')
	sign, err := base64.RawURLEncoding.DecodeString(t[i+1:])
	return err == nil && ed25519.Verify(key, []byte(t[:i]), sign)
}

// pipeline hands readings from stage to stage.
func pipeline() {
	kit.Start()
	readings, means := make(chan float64, 64), make(chan float64, 64)
	go func() {
		for i := 0; ; i++ {
			readings <- float64(i % 100)
		}
	}()
	go func() {
		mean := 0.0
		for r := range readings {
			mean += (r - mean) / 16
			means <- mean
		}
	}()
	sum := 0.0
	for m := range means {
		sum += m
	}
}

// A Table is a store in memory.
type Table struct {
	mu   sync.RWMutex
	rows map[int]int
}

// kvLocks reads and writes a table from several goroutines.
func kvLocks() {
	kit.Start()
	t := &Table{rows: map[int]int{}}
	for w := range 3 {
		go func() {
			for i := w; ; i++ {
				t.use(i % 5000)
			}
		}()
	}
	kit.Wait()
}

func (t *Table) use(i int) {
	if i%10 == 0 {
		t.mu.Lock()
		t.rows[i]++
		t.mu.Unlock()
		return
	}
	t.mu.RLock()
	_ = t.rows[i]
	t.mu.RUnlock()
}

// syncCache reads a cache from several goroutines.
func syncCache() {
	kit.Start()
	var cache sync.Map
	for w := range 3 {
		go func() {
			for i := w; ; i++ {
				if _, ok := cache.Load(i % 3000); !ok || i%50 == 0 {
					cache.Store(i%3000, i)
				}
			}
		}()
	}
	kit.Wait()
}

// A Branch is a part of a tree.
type Branch struct{ left, right *Branch }

// treeBuild makes trees, as compilers do.
func treeBuild() { batch(func() { grow(18) }) }

func grow(depth int) *Branch {
	if depth == 0 {
		return &Branch{}
	}
	return &Branch{grow(depth - 1), grow(depth - 1)}
}

// recordKeys makes keys of the fields of records.
func recordKeys() {
	records := []byte(strings.Join(logLines(5000), "\n"))
	batch(func() { keys(records) })
}

func keys(records []byte) (n int) {
	for at, b := range records {
		if b == ' ' && at > 40 {
			key := string(records[at-36 : at])
			n += len([]byte(key + "!"))
		}
	}
	return n
}

// uuidMaker makes ids for a bulk load.
func uuidMaker() { batch(func() { ids(1000) }) }

func ids(n int) (last string) {
	var b [16]byte
	for range n {
		if _, err := rand.Read(b[:]); err != nil {
			panic(err)
		}
		last = hex.EncodeToString(b[:])
	}
	return last
}

// processRunner runs the steps of builds.
func processRunner() { batch(func() { step("true") }) }

func step(name string) error { return exec.Command(name).Run() }

// portScan looks which ports are open.
func portScan() {
	batch(func() {
		for port := 20000; port < 20200; port++ {
			probe(port)
		}
	})
}

func probe(port int) bool {
	c, err := net.DialTCP("tcp", nil, &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: port})
	if err != nil {
		return false
	}
	return c.Close() == nil
}

// blockCopy moves blocks of a disk image to their places.
func blockCopy() {
	image, disk := make([]byte, 64<<20), make([]byte, 64<<20)
	batch(func() { place(disk, image) })
}

func place(disk, image []byte) {
	const block = 64 << 10
	for i := 0; i < len(image); i += block {
		to := (i * 7) % (len(disk) - block)
		copy(disk[to:to+block], image[i:i+block])
	}
}

// deepEval evaluates deeply nested terms, each in a goroutine of its own.
func deepEval() {
	batch(func() {
		done := make(chan int)
		go func() { done <- eval(3000) }()
		<-done
	})
}

func eval(depth int) int {
	var local [16]int
	if depth == 0 {
		return 1
	}
	local[depth%16] = eval(depth-1) + depth
	return local[depth%16] % 1009
}

// certCrawler reads certificates of a log.
func certCrawler() {
	a := newAuthority()
	a.cert.SerialNumber = big.NewInt(7)
	der := a.issue(&a.key.PublicKey)
	batch(func() { read(der) })
}

func read(der []byte) int {
	c, err := x509.ParseCertificate(der)
	if err != nil {
		panic(err)
	}
	return len(c.DNSNames)
}
