module example.com/tlslistener

go 1.25.0
