// Package clinic makes slow reports over few connections; its callers wait for a connection, and get one.
package clinic

import (
	"context"
	"database/sql"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"example.com/services/kit"
	"github.com/gin-gonic/gin"
	"github.com/rs/zerolog"
	_ "modernc.org/sqlite"
)

// A ward has the visits of patients.
type ward struct {
	db  *sql.DB
	log zerolog.Logger
}

// report reads rows slowly, with a connection all the while.
func (a *ward) report(ctx context.Context) (n int, err error) {
	rows, err := a.db.QueryContext(ctx, "select id from visits order by id")
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	for rows.Next() {
		var id int
		if err := rows.Scan(&id); err != nil {
			return n, err
		}
		time.Sleep(900 * time.Millisecond) // the archive is asked for a picture
		n++
	}
	return n, rows.Err()
}

// count takes a connection once the rows of its report are closed.
func (a *ward) count(ctx context.Context) (n int, err error) {
	if _, err := a.report(ctx); err != nil {
		return 0, err
	}
	err = a.db.QueryRowContext(ctx, "select count(*) from visits").Scan(&n)
	return n, err
}

// A slowSink is a log on a slow disk.
type slowSink struct{}

func (slowSink) Write(p []byte) (int, error) {
	time.Sleep(300 * time.Millisecond)
	return len(p), nil
}

func Main() {
	kit.Start()
	gin.SetMode(gin.ReleaseMode)
	db, err := sql.Open("sqlite", filepath.Join(os.TempDir(), "clinic.db"))
	if err != nil {
		panic(err)
	}
	db.SetMaxOpenConns(3)
	db.Exec("create table visits (id integer)")
	for i := range 12 {
		db.Exec("insert into visits values (?)", i)
	}
	a := &ward{db, zerolog.New(zerolog.SyncWriter(slowSink{}))}
	r := gin.New()
	r.GET("/count", func(c *gin.Context) {
		n, err := a.count(context.Background())
		a.log.Info().Int("visits", n).Msg("counted")
		c.JSON(http.StatusOK, gin.H{"n": n, "err": err})
	})
	url := kit.API(r)
	patient := &http.Client{Timeout: 10 * time.Minute}
	ask := func() {
		if answer, err := patient.Get(url + "/count"); err == nil {
			answer.Body.Close()
		}
	}
	for range 16 {
		go ask()
	}
	for {
		go ask()
		time.Sleep(4 * time.Second)
	}
}
