module example.com/fixtures/loglines

go 1.26.0
