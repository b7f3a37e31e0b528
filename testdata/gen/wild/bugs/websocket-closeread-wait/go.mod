module wild/websocket-closeread-wait

go 1.26

require (
	nhooyr.io/websocket v1.8.10
	wild/kit v0.0.0
)

replace wild/kit => ../../kit
