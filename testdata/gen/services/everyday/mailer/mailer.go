// Package mailer sends letters and keeps a log of it at another place.
package mailer

import (
	"errors"
	"fmt"
	"net/http"
	"sync/atomic"
	"time"

	"example.com/services/kit"
	"github.com/labstack/echo/v4"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
)

// A remote takes lines of a log and ships them.
type remote struct {
	lines chan []byte
	log   *zap.Logger
	down  atomic.Bool
}

// Write queues a line.
func (r *remote) Write(p []byte) (int, error) {
	r.lines <- append([]byte(nil), p...)
	return len(p), nil
}

// ship sends lines, one by one.
func (r *remote) ship() {
	for line := range r.lines {
		if err := r.post(line); err != nil {
			r.log.Warn("a line is lost", zap.Error(err))
		}
	}
}

func (r *remote) post(line []byte) error {
	time.Sleep(2 * time.Millisecond)
	if r.down.Load() {
		return errors.New("the collector does not answer")
	}
	return nil
}

// An office sends letters.
type office struct {
	log *zap.Logger
}

func (o *office) send(c echo.Context) error {
	to := c.QueryParam("to")
	o.log.Info("letter", zap.String("to", to))
	o.log.Info("sent", zap.String("to", to), zap.Int("bytes", 800))
	return c.String(http.StatusOK, "sent to "+to)
}

func Main() {
	kit.Start()
	r := &remote{lines: make(chan []byte, 32)}
	encoder := zapcore.NewJSONEncoder(zap.NewProductionEncoderConfig())
	r.log = zap.New(zapcore.NewCore(encoder, zapcore.Lock(zapcore.AddSync(r)), zap.InfoLevel))
	go r.ship()
	o := &office{log: r.log.Named("office")}
	e := echo.New()
	e.HideBanner, e.HidePort = true, true
	e.GET("/send", o.send)
	url := kit.API(e)
	kit.Ask(20, 50*time.Millisecond, url+"/send?to=ann")
	r.down.Store(true)
	for i := range 200 {
		kit.Ask(1, 2*time.Millisecond, fmt.Sprint(url, "/send?to=u", i))
	}
	kit.Ask(10, 8*time.Second, url+"/send?to=bob")
	kit.Wait()
}
