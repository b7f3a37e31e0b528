module example.com/fixtures/burn

go 1.20
