package gocode

import (
	"fmt"
	"strings"
	"testing"
)

const openings = `package p

import ("context"; "database/sql"; "encoding/json"; "errors"; "io"; "net/http"; "github.com/x/yaml")

type api struct { client *http.Client; db *sql.DB; last *http.Response }

func never(url string) (n int, err error) {
	resp, err := http.Get(url) // never
	if err != nil { return 0, err }
	return n, json.NewDecoder(resp.Body).Decode(&n)
}

func dropped(url string) { http.Get(url) } // dropped

func blank(url string) error { _, err := http.Get(url); return err } // blank

func (a *api) status(r *http.Request) error {
	resp, err := a.client.Do(r) // status
	if err != nil { return err }
	if resp.StatusCode != 200 { return errors.New(resp.Status) }
	defer resp.Body.Close()
	_, err = io.Copy(io.Discard, resp.Body)
	return err
}

func (a *api) decodes(r *http.Request) error {
	resp, err := a.client.Do(r) // decodes
	if err != nil { return err }
	err = json.NewDecoder(resp.Body).Decode(nil)
	if err != nil { return err }
	resp.Body.Close()
	return nil
}

func readToItsEnd(url string) (body []byte, err error) {
	resp, err := http.Get(url)
	if err != nil { return nil, err }
	return io.ReadAll(io.LimitReader(resp.Body, 1<<20))
}

func (a *api) Response() *http.Response { return a.last }

func looksAgain(a *api) int {
	resp := a.Response()
	return resp.StatusCode
}

type wrapped interface { Do(r *http.Request) (*http.Response, []byte, error) }

func readByOthers(c wrapped, r *http.Request) error {
	_, _, err := c.Do(r)
	return err
}

func either(url string) error {
	resp, err := http.Get(url) // either
	if err != nil || resp.StatusCode != 200 { return err }
	return resp.Body.Close()
}

func async(url string) {
	go func() {
		resp, err := http.Get(url) // async
		if err != nil { return }
		println(resp.Status)
	}()
}

func closed(url string) error {
	resp, err := http.Get(url)
	if err != nil { return err }
	defer resp.Body.Close()
	return json.NewDecoder(resp.Body).Decode(nil)
}

func closedLater(url string) error {
	resp, err := http.Get(url)
	if resp == nil || err != nil { return err }
	defer func() { io.Copy(io.Discard, resp.Body); resp.Body.Close() }()
	return nil
}

func retries(url string) error {
	for {
		resp, err := http.Get(url)
		if err != nil { continue }
		if resp.StatusCode >= 500 { resp.Body.Close(); continue }
		resp.Body.Close()
		return nil
	}
}

func returned(url string) (*http.Response, error) {
	resp, err := http.Get(url)
	return resp, err
}

func passedOn(url string) (*http.Response, error) { return http.Get(url) }

func readAway(url string) error {
	resp, err := http.Get(url)
	if err != nil { return err }
	return read(resp.Body)
}

func elsewhere(url string) error {
	resp, err := http.Get(url)
	if err != nil { return err }
	return yaml.Decode(resp.Body)
}

func (a *api) kept(url string) { a.last, _ = http.Get(url) }

func read(r io.ReadCloser) error { return r.Close() }

func setBefore(url string) {
	var resp *http.Response
	defer func() { if resp != nil { resp.Body.Close() } }()
	resp, _ = http.Get(url)
}

func (a *api) first(ctx context.Context) (n int, err error) {
	rows, err := a.db.QueryContext(ctx, "select") // first
	if err != nil { return 0, err }
	for rows.Next() {
		return n, rows.Scan(&n)
	}
	return 0, rows.Err()
}

func (a *api) all() (n int, err error) {
	rows, err := a.db.Query("select")
	if err != nil { return 0, err }
	for rows.Next() { rows.Scan(&n) }
	return n, rows.Err()
}

func (a *api) pays(ctx context.Context) error {
	tx, err := a.db.BeginTx(ctx, nil) // pays
	if err != nil { return err }
	if _, err := tx.Exec("update"); err != nil { return err }
	return tx.Commit()
}

func (a *api) paysWell(ctx context.Context) error {
	tx, err := a.db.BeginTx(ctx, nil)
	if err != nil { return err }
	defer tx.Rollback()
	if _, err := tx.Exec("update"); err != nil { return err }
	return tx.Commit()
}

func ownClient(url string) error {
	client := &http.Client{Transport: &http.Transport{MaxIdleConns: 3}}
	resp, err := client.Get(url) // ownClient
	if err != nil { return err }
	return resp.Body.Close()
}

func newClient() *http.Client {
	t := http.DefaultTransport.(*http.Transport).Clone()
	return &http.Client{Transport: t}
}

func throughMaker(url string) error {
	resp, err := newClient().Get(url) // throughMaker
	if err != nil { return err }
	return resp.Body.Close()
}

var shared *http.Client

func remembered() *http.Client {
	if shared == nil { shared = &http.Client{Transport: &http.Transport{}} }
	return shared
}

func throughShared(url string) error {
	resp, err := remembered().Get(url)
	if err != nil { return err }
	return resp.Body.Close()
}

func oncePerWorker(url string) {
	client := &http.Client{Transport: &http.Transport{}}
	for {
		resp, err := client.Get(url)
		if err == nil { resp.Body.Close() }
	}
}

func withoutKeepAlives(url string) {
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	if resp, err := client.Get(url); err == nil { resp.Body.Close() }
}

func closesIdle(url string) {
	client := &http.Client{Transport: &http.Transport{}}
	defer client.CloseIdleConnections()
	if resp, err := client.Get(url); err == nil { resp.Body.Close() }
}
`

func TestAResultIsLeftOpenWhereItsFunctionKeepsItAndDoesNotGiveItBackOnAllWaysOut(t *testing.T) {
	p := New([]File{{"p.go", openings}}, "p.go", false)
	lines := strings.Split(openings, "\n")
	want := map[string]string{
		"never": "Response", "dropped": "Response", "blank": "Response", "status": "Response, returns",
		"decodes": "Response, returns", "either": "Response, returns", "async": "Response", "first": "Rows", "pays": "Tx, returns",
		"ownClient": "OwnTransport", "throughMaker": "OwnTransport",
	}
	names := map[Resource]string{Response: "Response", Rows: "Rows", Tx: "Tx", Conn: "Conn", OwnTransport: "OwnTransport"}
	for _, o := range p.Openings() {
		line := lines[p.Line(o.At)-1]
		_, mark, ok := strings.Cut(line, "// ")
		got := names[o.Resource]
		if o.Leaves.IsValid() {
			got += ", returns"
		}
		if !ok || want[mark] != got {
			t.Errorf("line %d: %s\n%s: want %q", p.Line(o.At), fmt.Sprint(got), line, want[mark])
		}
		delete(want, mark)
	}
	for mark := range want {
		t.Errorf("%s is not found", mark)
	}
}
