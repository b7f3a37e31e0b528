// Package pharmacy fills prescriptions; each keeps a transaction while a robot fetches the box. Others wait in line.
package pharmacy

import (
	"context"
	"database/sql"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"time"

	"example.com/services/kit"
	"github.com/labstack/echo/v4"
	"go.uber.org/zap"
	_ "modernc.org/sqlite"
)

// A shelf has the boxes.
type shelf struct {
	db  *sql.DB
	log *zap.Logger
	mu  sync.Mutex
	day map[string]int
}

// fill takes one connection for four seconds.
func (s *shelf) fill(ctx context.Context, drug string) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	var left int
	if err := tx.QueryRowContext(ctx, "select n from boxes where drug = ?", drug).Scan(&left); err != nil {
		return err
	}
	time.Sleep(4 * time.Second) // the robot
	s.mu.Lock()
	s.day[drug]++
	s.mu.Unlock()
	return tx.Commit()
}

// inventory reads all rows before it asks for anything else.
func (s *shelf) inventory(ctx context.Context) error {
	rows, err := s.db.QueryContext(ctx, "select drug from boxes")
	if err != nil {
		return err
	}
	defer rows.Close()
	var drugs []string
	for rows.Next() {
		var d string
		if err := rows.Scan(&d); err != nil {
			return err
		}
		drugs = append(drugs, d)
	}
	if err := rows.Close(); err != nil {
		return err
	}
	for _, d := range drugs {
		var n int
		if err := s.db.QueryRowContext(ctx, "select n from boxes where drug = ?", d).Scan(&n); err != nil {
			return err
		}
	}
	s.log.Info("inventory", zap.Int("drugs", len(drugs)))
	return nil
}

func Main() {
	kit.Start()
	db, err := sql.Open("sqlite", filepath.Join(os.TempDir(), "boxes.db"))
	if err != nil {
		panic(err)
	}
	db.Exec("create table boxes (drug text, n integer)")
	for i := range 9 {
		db.Exec("insert into boxes values (?, 50)", fmt.Sprint("d", i))
	}
	db.SetMaxOpenConns(5)
	log, _ := zap.NewProduction()
	s := &shelf{db: db, log: log, day: map[string]int{}}
	e := echo.New()
	e.HideBanner, e.HidePort = true, true
	e.GET("/fill/:drug", func(c echo.Context) error { return s.fill(context.Background(), c.Param("drug")) })
	e.GET("/inventory", func(c echo.Context) error { return s.inventory(context.Background()) })
	url := kit.API(e)
	patient := &http.Client{Timeout: 10 * time.Minute}
	ask := func(path string) {
		if answer, err := patient.Get(url + path); err == nil {
			answer.Body.Close()
		}
	}
	for {
		for i := range 24 {
			go ask(fmt.Sprint("/fill/d", i%9))
		}
		go ask("/inventory")
		time.Sleep(30 * time.Second)
	}
}
