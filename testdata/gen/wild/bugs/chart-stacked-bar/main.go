// Command chart-stacked-bar is a service that draws what each team of a company spends, as a chart for the intranet.
//
// Report: https://github.com/wcharczuk/go-chart/issues/229
package main

import (
	"bytes"
	"io"
	"log"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/wcharczuk/go-chart/v2"

	"wild/kit"
)

// A team is one bar of the chart.
type team struct {
	name            string
	salaries, rents float64
}

// known are the teams that are always on the chart.
var known = []team{{"Sales", 40, 10}, {"Design", 25, 5}, {"Support", 30, 15}}

// draw writes the chart of the teams as a picture.
func draw(w io.Writer, teams []team) error {
	sbc := chart.StackedBarChart{Title: "Spending", Height: 512}
	for _, t := range teams {
		sbc.Bars = append(sbc.Bars, chart.StackedBar{
			Name: t.name,
			Values: []chart.Value{
				{Value: t.salaries, Label: "Salaries"},
				{Value: t.rents, Label: "Rents"},
			},
		})
	}
	return sbc.Render(chart.PNG, w)
}

// serveChart answers with the chart of all teams, or of one that the request names.
func serveChart(w http.ResponseWriter, r *http.Request) {
	teams := known
	if name := r.FormValue("team"); name != "" {
		teams = []team{{name: name, salaries: 20, rents: 10}}
	}
	var picture bytes.Buffer
	if err := draw(&picture, teams); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", chart.ContentTypePNG)
	w.Write(picture.Bytes())
}

// browse asks for the charts of the given teams, one each half second.
func browse(address string, names ...string) {
	client := &http.Client{Timeout: 10 * time.Second}
	for _, name := range names {
		time.Sleep(500 * time.Millisecond)
		answer, err := client.Get(address + "?team=" + url.QueryEscape(name))
		if err != nil {
			log.Print(err)
			continue
		}
		io.Copy(io.Discard, answer.Body)
		answer.Body.Close()
	}
}

func main() {
	kit.Serve()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /spending.png", serveChart)
	// The last one is a number of the accounting system that got into the field of the name.
	go browse("http://"+listener.Addr().String()+"/spending.png", "", "Sales", strings.Repeat("0123456789", 10))
	log.Fatal(http.Serve(listener, mux))
}
