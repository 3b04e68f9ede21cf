module example.com/catalog-service

go 1.24
