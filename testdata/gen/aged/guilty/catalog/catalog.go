// Package catalog: rows are left open where the first that fits is returned, until no connection is left.
package catalog

import (
	"database/sql"
	"fmt"
	"net/http"
	"time"

	"aged/kit"
	"aged/shopdb"
)

type store struct{ db *sql.DB }

func (s *store) findBySKU(sku string) (int64, error) {
	rows, err := s.db.Query("SELECT id, sku FROM products WHERE sku = ?", sku)
	if err != nil {
		return 0, err
	}
	for rows.Next() {
		var id int64
		var found string
		if err := rows.Scan(&id, &found); err != nil {
			return 0, err
		}
		if found == sku {
			return id, nil
		}
	}
	rows.Close()
	return 0, sql.ErrNoRows
}

func (s *store) product(w http.ResponseWriter, r *http.Request) {
	id, err := s.findBySKU(r.PathValue("sku"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusNotFound)
		return
	}
	fmt.Fprintln(w, id)
}

// Main serves it.
func Main() {
	s := &store{shopdb.Open(10)}
	mux := http.NewServeMux()
	mux.HandleFunc("/products/{sku}", s.product)
	mux.HandleFunc("/healthz", kit.OK)
	address := kit.API(mux)
	go kit.Visit(address, 7*time.Second, "/products/A-1", "/products/B-7")
	go kit.Visit(address, 2*time.Second, "/healthz")
	kit.Wait()
}
