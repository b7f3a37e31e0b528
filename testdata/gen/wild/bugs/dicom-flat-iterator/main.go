// Command dicom-flat-iterator is an archive of medical images: each study that arrives is filed under the first element
// of its data set.
//
// https://github.com/suyashkumar/dicom/issues/183
package main

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"github.com/suyashkumar/dicom"
	"github.com/suyashkumar/dicom/pkg/tag"

	"wild/kit"
)

const (
	filers  = 2
	arrival = 200 * time.Millisecond // between two studies
)

// An archive counts studies by day.
type archive struct {
	mu   sync.Mutex
	days map[string]int
}

func main() {
	kit.Serve()
	ctx, cancel := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer cancel()

	a := &archive{days: map[string]int{}}
	http.Handle("/days", a)
	studies := make(chan *dicom.Dataset)
	for range filers {
		go a.filer(studies)
	}
	arrivals := time.NewTicker(arrival)
	defer arrivals.Stop()
	for n := 0; ; n++ {
		select {
		case <-ctx.Done():
			return
		case <-arrivals.C:
		}
		study, err := receive(n)
		if err != nil {
			log.Printf("study %d: %v", n, err)
			continue
		}
		studies <- study
	}
}

// receive plays a scanner that has made a study.
func receive(n int) (*dicom.Dataset, error) {
	study := &dicom.Dataset{}
	for _, e := range []struct {
		tag   tag.Tag
		value string
	}{
		{tag.StudyDate, fmt.Sprintf("202601%02d", n%28+1)},
		{tag.Modality, "MR"},
		{tag.PatientName, fmt.Sprintf("Doe^%d", n)},
		{tag.StudyInstanceUID, fmt.Sprintf("1.2.840.%d", n)},
	} {
		element, err := dicom.NewElement(e.tag, []string{e.value})
		if err != nil {
			return nil, err
		}
		study.Elements = append(study.Elements, element)
	}
	return study, nil
}

// filer files studies.
func (a *archive) filer(studies <-chan *dicom.Dataset) {
	for study := range studies {
		date := first(study)
		a.mu.Lock()
		a.days[fmt.Sprint(date.Value.GetValue())]++
		a.mu.Unlock()
	}
}

// ServeHTTP answers with the counts.
func (a *archive) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	a.mu.Lock()
	defer a.mu.Unlock()
	fmt.Fprintln(w, a.days)
}
