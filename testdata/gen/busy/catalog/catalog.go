// Package catalog serves articles, prices and pages.
package catalog

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"html/template"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"
	"time"

	"example.com/busy/kit"
)

// Programs are the services of this package.
var Programs = map[string]func(){
	"csv-export": csvExport, "tag-union": tagUnion, "route-guard": routeGuard, "policy-check": policyCheck,
	"page-render": pageRender, "top-sellers": topSellers, "shop-hours": shopHours, "price-list": priceList,
	"asset-list": assetList, "health-figures": healthFigures, "stock-diff": stockDiff, "article-find": articleFind,
	"offer-cache": offerCache, "basket-keys": basketKeys,
}

type article struct {
	ID    int      `json:"id"`
	Name  string   `json:"name"`
	Tags  []string `json:"tags"`
	Price int      `json:"price"`
}

func articles(n int) []article {
	var all []article
	for i := range n {
		tags := []string{"t" + strconv.Itoa(i%97), "t" + strconv.Itoa(i%89)}
		all = append(all, article{i, "article " + strconv.Itoa(i*7919%n), tags, i * 13 % 1000})
	}
	return all
}

// exportCSV writes all articles as one text.
func exportCSV(all []article) string {
	text := "id;name;price\n"
	for _, a := range all {
		text += strconv.Itoa(a.ID) + ";" + a.Name + ";" + strconv.Itoa(a.Price) + "\n"
	}
	return text
}

func csvExport() {
	kit.Start()
	all := articles(3000)
	kit.Listen(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, exportCSV(all))
	}), "/articles.csv", 3, 5*time.Millisecond, 0)
	kit.Wait()
}

// unionOfTags collects each tag once.
func unionOfTags(all []article) []string {
	var tags []string
	for _, a := range all {
		for _, t := range a.Tags {
			tag := t + "/" + a.Name
			if !slices.Contains(tags, tag) {
				tags = append(tags, tag)
			}
		}
	}
	return tags
}

func tagUnion() {
	kit.Start()
	all := articles(1500)
	kit.Listen(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, len(unionOfTags(all)))
	}), "/tags", 3, 5*time.Millisecond, 0)
	kit.Wait()
}

// guard lets those requests through whose path is allowed.
func guard(allowed []string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for _, a := range allowed {
			if ok, _ := regexp.MatchString("^/"+a+`/\d{1,8}(/[a-z0-9-]{2,40})?$`, r.URL.Path); ok {
				next.ServeHTTP(w, r)
				return
			}
		}
		http.NotFound(w, r)
	})
}

func routeGuard() {
	kit.Start()
	h := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.Write([]byte("ok")) })
	guarded := guard([]string{"orders", "invoices", "customers", "articles"}, h)
	kit.Listen(guarded, "/articles/17/red-shoe", 4, time.Millisecond, 0)
	kit.Wait()
}

type policy struct {
	Roles map[string][]string `json:"roles"`
	Deny  []string            `json:"deny"`
}

// allowed reports whether a role may do something.
func allowed(document []byte, role, action string) bool {
	var p policy
	if err := json.Unmarshal(document, &p); err != nil {
		return false
	}
	return slices.Contains(p.Roles[role], action) && !slices.Contains(p.Deny, action)
}

func policyCheck() {
	kit.Start()
	p := policy{Roles: map[string][]string{}}
	for i := range 60 {
		for k := range 20 {
			role := "role-" + strconv.Itoa(i)
			p.Roles[role] = append(p.Roles[role], "action-"+strconv.Itoa(k))
		}
	}
	document, _ := json.Marshal(p)
	kit.Listen(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, allowed(document, "role-7", "action-3"))
	}), "/may", 4, time.Millisecond, 0)
	kit.Wait()
}

const page = `<html><body><h1>{{.Title}}</h1>
<ul>{{range .All}}<li class="{{if gt .Price 500}}expensive{{else}}cheap{{end}}">
{{.Name}} {{.Price}} {{range .Tags}}<b>{{.}}</b>{{end}}</li>{{end}}</ul>
<script>var n = {{len .All}};</script></body></html>`

// render writes the start page.
func render(w http.ResponseWriter, all []article) {
	t, err := template.New("start").Parse(page)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	t.Execute(w, map[string]any{"Title": "Shop", "All": all})
}

func pageRender() {
	kit.Start()
	all := articles(4)
	kit.Listen(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		render(w, all)
	}), "/", 4, time.Millisecond, 0)
	kit.Wait()
}

// Sellers are the articles that are sold most.
type Sellers struct {
	mu  sync.Mutex
	all []article
}

// Sold counts a sale.
func (s *Sellers) Sold(a article) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all = append(s.all, a)
	sort.Slice(s.all, func(i, j int) bool { return s.all[i].Price > s.all[j].Price })
	if len(s.all) > 4000 {
		s.all = s.all[:3900]
	}
}

func topSellers() {
	kit.Start()
	s := &Sellers{all: articles(3900)}
	n := 0
	kit.Listen(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		n++
		s.Sold(article{Price: n * 31 % 1000})
	}), "/sold", 3, time.Millisecond, 1)
	kit.Wait()
}

// open reports whether a shop is open now where it is.
func open(zone string, from, to int) bool {
	l, err := time.LoadLocation(zone)
	if err != nil {
		return false
	}
	h := time.Now().In(l).Hour()
	return h >= from && h < to
}

func shopHours() {
	kit.Start()
	zones := []string{"Europe/Berlin", "America/New_York", "Asia/Tokyo", "Australia/Sydney"}
	kit.Listen(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		n := 0
		for i := range 40 {
			if open(zones[i%len(zones)], 8, 20) {
				n++
			}
		}
		fmt.Fprint(w, n)
	}), "/open", 4, time.Millisecond, 0)
	kit.Wait()
}

// writePrices writes the list of prices, as small as it can be.
func writePrices(w http.ResponseWriter, all []article) {
	w.Header().Set("Content-Encoding", "gzip")
	z, _ := gzip.NewWriterLevel(w, gzip.BestCompression)
	defer z.Close()
	json.NewEncoder(z).Encode(all)
}

func priceList() {
	kit.Start()
	all := articles(60)
	kit.Listen(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		writePrices(w, all)
	}), "/prices", 4, time.Millisecond, 0)
	kit.Wait()
}

// assets lists the files that a page may use.
func assets(dir string) (names []string) {
	filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			if info, err := d.Info(); err == nil && info.Size() > 0 {
				names = append(names, path)
			}
		}
		return nil
	})
	return names
}

func assetList() {
	kit.Start()
	dir, _ := os.MkdirTemp("", "assets")
	for i := range 200 {
		os.WriteFile(filepath.Join(dir, fmt.Sprintf("a%d.css", i)), []byte("body {}"), 0o600)
	}
	kit.Listen(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, len(assets(dir)))
	}), "/page", 4, time.Millisecond, 0)
	kit.Wait()
}

// figures are what each answer has in its header.
func figures(h http.Header) {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	h.Set("X-Heap", strconv.FormatUint(m.HeapAlloc, 10))
	h.Set("X-Goroutines", strconv.Itoa(runtime.NumGoroutine()))
}

func healthFigures() {
	kit.Start()
	kept := make([][]byte, 0, 4000)
	for range 4000 {
		kept = append(kept, make([]byte, 4000))
	}
	kit.Listen(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		figures(w.Header())
		w.Write(kept[3][:100])
	}), "/", 8, 0, 0)
	kit.Wait()
}

// A Mirror notices what changed since the last look.
type Mirror struct{ last map[int]article }

// look compares all articles with those of the last look.
func (m *Mirror) look(now map[int]article) (changed int) {
	if reflect.DeepEqual(m.last, now) {
		return 0
	}
	for id, a := range now {
		if !reflect.DeepEqual(m.last[id], a) {
			changed++
		}
	}
	m.last = now
	return changed
}

func stockDiff() {
	kit.Start()
	m := &Mirror{}
	go func() {
		for range time.Tick(10 * time.Millisecond) {
			now := map[int]article{}
			for _, a := range articles(2000) {
				now[a.ID] = a
			}
			m.look(now)
		}
	}()
	kit.Wait()
}

// A Shelf has articles by their number.
type Shelf struct{ by map[int]article }

// named finds an article by its name.
func (s *Shelf) named(name string) (article, bool) {
	for _, a := range s.by {
		if a.Name == name {
			return a, true
		}
	}
	return article{}, false
}

func articleFind() {
	kit.Start()
	s := &Shelf{by: map[int]article{}}
	for _, a := range articles(20000) {
		s.by[a.ID] = a
	}
	kit.Listen(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		a, _ := s.named("article 13")
		fmt.Fprint(w, a.ID)
	}), "/find", 4, 2*time.Millisecond, 0)
	kit.Wait()
}

type offerKey struct {
	id int
	at *article
}

// Offers keeps rendered offers.
type Offers struct {
	mu    sync.Mutex
	texts map[offerKey]string
}

// Text renders an offer once.
func (o *Offers) Text(a *article) string {
	key := offerKey{a.ID, a}
	o.mu.Lock()
	defer o.mu.Unlock()
	if t, ok := o.texts[key]; ok {
		return t
	}
	if len(o.texts) > 500 {
		clear(o.texts)
	}
	t := describe(a)
	o.texts[key] = t
	return t
}

// describe writes the long text of an offer.
func describe(a *article) string {
	var b bytes.Buffer
	for i := range 400 {
		fmt.Fprintf(&b, "%s costs %d.%02d in size %d; ", strings.ToUpper(a.Name), a.Price/100, a.Price%100, i)
	}
	return b.String()
}

func offerCache() {
	kit.Start()
	o := &Offers{texts: map[offerKey]string{}}
	kit.Listen(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		for i := range 5 {
			a := article{ID: i, Name: "shoe"} // read from the database
			fmt.Fprint(w, o.Text(&a)[:100])
		}
	}), "/offer", 4, time.Millisecond, 0)
	kit.Wait()
}

// Baskets counts articles by customer and article.
type Baskets struct {
	mu    sync.Mutex
	count map[string]int
}

// Put adds an article to a customer's basket.
func (b *Baskets) Put(customer, article int) {
	key := fmt.Sprintf("customer=%d/article=%d", customer, article)
	b.mu.Lock()
	b.count[key]++
	b.mu.Unlock()
}

func basketKeys() {
	kit.Start()
	b := &Baskets{count: map[string]int{}}
	kit.Listen(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		for i := range 2000 {
			b.Put(i%50, i%300)
		}
	}), "/put", 4, time.Millisecond, 1)
	kit.Wait()
}
