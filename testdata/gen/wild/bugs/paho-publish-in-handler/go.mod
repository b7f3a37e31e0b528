module wild/paho-publish-in-handler

go 1.26

require (
	github.com/eclipse/paho.mqtt.golang v1.3.0
	wild/kit v0.0.0
)

require (
	github.com/gorilla/websocket v1.4.2 // indirect
	golang.org/x/net v0.0.0-20200425230154-ff2c4b7c35a0 // indirect
)

replace wild/kit => ../../kit
