// Command billing charges accounts at a rate from its settings, which an operator may change while it runs.
//
// Report: https://github.com/spf13/viper/issues/622
package main

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/fsnotify/fsnotify"
	"github.com/spf13/viper"
	"wild/kit"
)

var (
	rate    atomic.Int64 // cents
	charged atomic.Int64
)

// apply takes over what the settings say now.
func apply() {
	rate.Store(viper.GetInt64("rate"))
	log.Printf("rate is %d", rate.Load())
}

func changed(e fsnotify.Event) {
	log.Printf("settings changed: %s", e.Name)
	apply()
}

// watch follows the settings file, and reads the environment's again every minute, which nobody announces.
func watch(ctx context.Context) {
	viper.OnConfigChange(changed)
	viper.WatchConfig()
	log.Print("settings are watched")
	tick := time.NewTicker(time.Minute)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			apply()
		case <-ctx.Done():
			return
		}
	}
}

// charge bills one account after the other.
func charge(ctx context.Context) {
	tick := time.NewTicker(250 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			charged.Add(rate.Load())
		case <-ctx.Done():
			return
		}
	}
}

func handleTotal(w http.ResponseWriter, r *http.Request) {
	fmt.Fprintln(w, charged.Load())
}

func main() {
	kit.Serve()
	viper.SetConfigName("billing")
	viper.AddConfigPath("/etc/billing")
	viper.SetDefault("rate", 25)
	viper.AutomaticEnv()
	if err := viper.ReadInConfig(); err != nil {
		log.Printf("defaults are used: %v", err)
	}
	apply()
	http.HandleFunc("/total", handleTotal)

	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer cancel()
	go charge(ctx)
	go watch(ctx)
	<-ctx.Done()
}
