// Package members looks up whether somebody is a member.
package members

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"database/sql"

	"example.com/services/kit"
	"example.com/services/kit/ledgerdb"
)

type registry struct{ db *sql.DB }

func (r *registry) isMember(ctx context.Context, name string) (bool, error) {
	rows, err := r.db.QueryContext(ctx, "select id from members", name)
	if err != nil {
		return false, err
	}
	return rows.Next(), nil
}

func (r *registry) serve(w http.ResponseWriter, req *http.Request) {
	ok, err := r.isMember(context.Background(), req.URL.Path)
	fmt.Fprintln(w, ok, err)
}

func Main() {
	kit.Start()
	r := &registry{ledgerdb.Open(10, time.Millisecond)}
	url := kit.API(http.HandlerFunc(r.serve))
	kit.Ask(45, 50*time.Millisecond, url)
	kit.Wait()
}
