package mills

import (
	"bytes"
	"encoding/gob"
	"go/ast"
	"go/parser"
	"go/token"
	"hash/crc32"
	"image"
	"image/color"
	"image/draw"
	"net/http"
	"reflect"
	"strings"
	"sync"

	"gopkg.in/yaml.v3"

	"example.com/busy/kit"
)

// compositor puts layers over each other.
func compositor() {
	canvas := image.NewRGBA(image.Rect(0, 0, 1920, 1080))
	layers := []image.Image{image.NewUniform(color.RGBA{20, 30, 40, 255})}
	for range 3 {
		layers = append(layers, image.NewRGBA(image.Rect(0, 0, 1280, 720)))
	}
	batch(func() { compose(canvas, layers) })
}

func compose(canvas *image.RGBA, layers []image.Image) {
	for i, l := range layers {
		op := draw.Src
		if i == 3 {
			op = draw.Over
		}
		draw.Draw(canvas, canvas.Bounds(), l, image.Point{}, op)
	}
}

// A Person is a row.
type Person struct {
	ID    int    `col:"id"`
	Name  string `col:"name"`
	City  string `col:"city"`
	Score float64
}

// rowMapper turns rows into values by the tags of their types.
func rowMapper() {
	row := map[string]any{"id": 7, "name": "Anna", "city": "Ulm"}
	batch(func() {
		for range 1000 {
			mapRow(row, reflect.ValueOf(&Person{}).Elem())
		}
	})
}

func mapRow(row map[string]any, v reflect.Value) {
	t := v.Type()
	for i := range t.NumField() {
		if c, ok := t.Field(i).Tag.Lookup("col"); ok {
			v.Field(i).Set(reflect.ValueOf(row[c]))
		}
	}
}

// gobStore writes snapshots of its state.
func gobStore() {
	var state []Person
	for i := range 20000 {
		state = append(state, Person{ID: i, Name: "Anna", City: "Ulm", Score: float64(i)})
	}
	batch(func() { snapshot(state) })
}

func snapshot(state []Person) int {
	var b bytes.Buffer
	if err := gob.NewEncoder(&b).Encode(state); err != nil {
		panic(err)
	}
	return b.Len()
}

// yamlCheck is a service that checks manifests.
func yamlCheck() {
	doc := []byte(manifest(200))
	serve(func(w http.ResponseWriter, _ *http.Request) {
		if err := checkManifest(doc); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
		}
	}, 0)
}

func manifest(n int) string {
	return strings.Repeat("- kind: Pod\n  metadata: {name: a, labels: {app: shop}}\n  spec:\n    containers:\n"+
		"    - name: web\n      image: registry/shop:1\n      args: [\"-v\", \"2\"]\n", n)
}

func checkManifest(doc []byte) error {
	var v []map[string]any
	return yaml.Unmarshal(doc, &v)
}

// astVisit is a linter: it goes through the syntax of sources.
func astVisit() {
	src := "package p\n" + strings.Repeat("func f(a, b int) int { if a > b { return a*b + 1 }; "+
		"for i := range b { a += i }; return a }\n", 2000)
	file, err := parser.ParseFile(token.NewFileSet(), "p.go", src, parser.SkipObjectResolution)
	if err != nil {
		panic(err)
	}
	batch(func() { lint(file) })
}

func lint(f *ast.File) (n int) {
	ast.Inspect(f, func(node ast.Node) bool {
		if e, ok := node.(ast.Expr); ok && e.Pos() > 0 {
			n++
		}
		return true
	})
	return n
}

// chunkStore cuts files into chunks that it keeps by their sum.
func chunkStore() {
	file := bytes.Repeat(kit.Words(5000), 40)
	batch(func() { store(file) })
}

func store(file []byte) int {
	chunks := map[uint32][]byte{}
	for i := 0; i < len(file); i += 256 << 10 {
		chunk := make([]byte, 256<<10)
		n := copy(chunk, file[i:])
		chunks[crc32.ChecksumIEEE(chunk[:n])] = chunk
	}
	return len(chunks)
}

// A Junction is a place of a map.
type Junction struct {
	roads []*Junction
	name  string
}

// graphBuild makes the graph of a region before routes are asked for.
func graphBuild() { batch(func() { readRegion(200000) }) }

func readRegion(n int) []*Junction {
	all := make([]*Junction, n)
	for i := range all {
		all[i] = &Junction{name: "j"}
		for k := 1; k <= 3 && i >= k*k; k++ {
			all[i].roads = append(all[i].roads, all[i-k*k])
		}
	}
	return all
}

// driftCheck compares what is with what should be, for many machines.
func driftCheck() {
	var is, should []map[string]any
	for i := range 2000 {
		m := map[string]any{"name": "host", "id": i, "tags": []string{"a", "b"}, "disk": Person{ID: i}}
		is, should = append(is, m), append(should, map[string]any{
			"name": "host", "id": i, "tags": []string{"a", "b"}, "disk": Person{ID: i}})
	}
	batch(func() { drifted(is, should) })
}

func drifted(is, should []map[string]any) (n int) {
	for i := range is {
		if !reflect.DeepEqual(is[i], should[i]) {
			n++
		}
	}
	return n
}

// totals sums up what was sold by shop and month.
func totals() {
	shops := map[int]map[int]float64{}
	for i := range 300 {
		shops[i] = map[int]float64{}
		for m := range 500 {
			shops[i][m] = float64(m * i)
		}
	}
	batch(func() { sumUp(shops) })
}

func sumUp(shops map[int]map[int]float64) (sum float64) {
	for _, months := range shops {
		for _, sold := range months {
			sum += sold
		}
	}
	return sum
}

// fanOut gives each small piece of a picture a goroutine.
func fanOut() {
	sums := make([]uint32, 256)
	data := kit.Words(50)
	batch(func() {
		var wg sync.WaitGroup
		for i := range sums {
			wg.Go(func() { sums[i] = crc32.ChecksumIEEE(data) })
		}
		wg.Wait()
	})
}
