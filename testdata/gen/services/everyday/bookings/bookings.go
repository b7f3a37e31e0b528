// Package bookings sells seats.
package bookings

import (
	"context"
	"database/sql"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"example.com/services/kit"
	"github.com/gin-gonic/gin"
	_ "modernc.org/sqlite"
)

// A Desk sells the seats of all shows.
type Desk struct {
	db *sql.DB
}

// free is how many seats a show has left.
func (d *Desk) free(ctx context.Context, show int) (n int, err error) {
	err = d.db.QueryRowContext(ctx, "select 100000 - count(*) from seats where show = ?", show).Scan(&n)
	return n, err
}

// Reserve sells one seat.
func (d *Desk) Reserve(ctx context.Context, show int, name string) error {
	tx, err := d.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	var price int
	if err := tx.QueryRowContext(ctx, "select price from shows where id = ?", show).Scan(&price); err != nil {
		return err
	}
	time.Sleep(80 * time.Millisecond) // the voucher is checked
	left, err := d.free(ctx, show)
	if err != nil {
		return err
	}
	if left == 0 {
		return fmt.Errorf("show %d is sold out", show)
	}
	const sell = "insert into seats (show, name, price) values (?, ?, ?)"
	if _, err := tx.ExecContext(ctx, sell, show, name, price); err != nil {
		return err
	}
	return tx.Commit()
}

func open() *sql.DB {
	path := filepath.Join(os.TempDir(), "seats.db")
	db, err := sql.Open("sqlite", path+"?_pragma=journal_mode(WAL)&_pragma=busy_timeout(3000)")
	if err != nil {
		panic(err)
	}
	db.SetMaxOpenConns(6)
	db.SetMaxIdleConns(6)
	for _, q := range []string{
		"create table if not exists shows (id integer, price integer)",
		"create table if not exists seats (show integer, name text, price integer)",
		"insert into shows values (1, 30), (2, 45)",
	} {
		if _, err := db.Exec(q); err != nil {
			panic(err)
		}
	}
	return db
}

func Main() {
	kit.Start()
	gin.SetMode(gin.ReleaseMode)
	d := &Desk{db: open()}
	r := gin.New()
	r.Use(gin.Recovery())
	r.GET("/reserve", func(c *gin.Context) {
		if err := d.Reserve(context.Background(), 1, "Ann"); err != nil {
			c.String(http.StatusConflict, err.Error())
			return
		}
		c.String(http.StatusOK, "reserved")
	})
	r.GET("/free", func(c *gin.Context) {
		n, err := d.free(context.Background(), 1)
		c.String(http.StatusOK, "%d %v", n, err)
	})
	url := kit.API(r)
	kit.Ask(10, 200*time.Millisecond, url+"/reserve")
	kit.Ask(24, time.Millisecond, url+"/reserve")
	kit.Ask(8, 3*time.Second, url+"/free")
	kit.Wait()
}
