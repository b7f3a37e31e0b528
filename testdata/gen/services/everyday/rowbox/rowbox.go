// Package rowbox answers whether parcels are known.
package rowbox

import (
	"database/sql"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"example.com/services/kit"
	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"
	_ "modernc.org/sqlite"
)

// A catalog is the table of parcels.
type catalog struct {
	db *sql.DB
}

// known is whether a parcel of that code is in the table.
func (c *catalog) known(code string) (bool, error) {
	rows, err := c.db.Query("select code from parcels where depot = ?", "north")
	if err != nil {
		return false, err
	}
	for rows.Next() {
		var got string
		if err := rows.Scan(&got); err != nil {
			return false, err
		}
		if got == code {
			return true, nil
		}
	}
	return false, rows.Err()
}

func open() *sql.DB {
	db, err := sql.Open("sqlite", filepath.Join(os.TempDir(), "parcels.db"))
	if err != nil {
		panic(err)
	}
	db.SetMaxOpenConns(8)
	if _, err := db.Exec("create table parcels (code text, depot text)"); err != nil {
		panic(err)
	}
	for i := range 60 {
		if _, err := db.Exec("insert into parcels values (?, 'north')", fmt.Sprint("P", i)); err != nil {
			panic(err)
		}
	}
	return db
}

func Main() {
	kit.Start()
	c := &catalog{db: open()}
	r := chi.NewRouter()
	r.Use(middleware.RequestID, middleware.Recoverer)
	r.Get("/known/{code}", func(w http.ResponseWriter, r *http.Request) {
		ok, err := c.known(chi.URLParam(r, "code"))
		fmt.Fprintln(w, ok, err)
	})
	url := kit.API(r)
	kit.Ask(6, 300*time.Millisecond, url+"/known/X1")
	kit.Ask(20, 500*time.Millisecond, url+"/known/P7")
	kit.Wait()
}
