module wild/websocket-close-lock

go 1.26

require (
	nhooyr.io/websocket v1.8.6
	wild/kit v0.0.0
)

require github.com/klauspost/compress v1.10.3 // indirect

replace wild/kit => ../../kit
