// Package mills is programs that do honest work at a full core: what takes their CPU is what they are for.
package mills

import (
	"fmt"
	"net/http"
	"strings"

	"example.com/busy/kit"
)

// Programs are the services of this package by name.
var Programs = map[string]func(){
	"archive-check":  archiveCheck,
	"archive-list":   archiveList,
	"ast-visit":      astVisit,
	"block-copy":     blockCopy,
	"ca-keys":        caKeys,
	"ca-signer":      caSigner,
	"cert-crawler":   certCrawler,
	"chess-engine":   chessEngine,
	"chunk-store":    chunkStore,
	"code-gen":       codeGen,
	"compositor":     compositor,
	"csv-json":       csvJSON,
	"deep-eval":      deepEval,
	"diff-tool":      diffTool,
	"digest-store":   digestStore,
	"drift-check":    driftCheck,
	"fan-out":        fanOut,
	"file-walker":    fileWalker,
	"gob-store":      gobStore,
	"graph-build":    graphBuild,
	"grep-text":      grepText,
	"grok-ship":      grokShip,
	"image-resizer":  imageResizer,
	"join-rows":      joinRows,
	"jwt-sign":       jwtSign,
	"jwt-verify":     jwtVerify,
	"kv-locks":       kvLocks,
	"log-maker":      logMaker,
	"log-shipper":    logShipper,
	"login-server":   loginServer,
	"mail-render":    mailRender,
	"merge-sort":     mergeSort,
	"pack-service":   packService,
	"pipeline":       pipeline,
	"port-scan":      portScan,
	"price-index":    priceIndex,
	"process-runner": processRunner,
	"record-keys":    recordKeys,
	"report-writer":  reportWriter,
	"row-mapper":     rowMapper,
	"rules-engine":   rulesEngine,
	"search-index":   searchIndex,
	"sync-cache":     syncCache,
	"text-codec":     textCodec,
	"time-parse":     timeParse,
	"tls-front":      tlsFront,
	"totals":         totals,
	"tree-build":     treeBuild,
	"uuid-maker":     uuidMaker,
	"word-count":     wordCount,
	"yaml-check":     yamlCheck,
	"yaml-lint":      yamlLint,
}

// batch is the main of a program that works through what it was given, again and again: the next file is like the
// last.
func batch(step func()) {
	kit.Start()
	for {
		step()
	}
}

// serve is the main of a service under so much load that it has a core.
func serve(h http.HandlerFunc, body int) {
	kit.Start()
	kit.Listen(h, "/", 4, 0, body)
	kit.Wait()
}

// logLines are lines as servers write them.
func logLines(n int) []string {
	words := strings.Fields(string(kit.Words(n)))
	lines := make([]string, n)
	for i := range lines {
		lines[i] = fmt.Sprintf(
			`10.0.%d.%d - user%d [23/Nov/2026:10:%02d:%02d +0000] "GET /%s/%d HTTP/1.1" %d %d %s=%d ms`,
			i/256%256, i%256, i%83, i/60%60, i%60, words[i], i*7919%100003, 200+i%5*100, i*31%65536, words[(i*7)%n], i%900)
	}
	return lines
}
