CREATE TABLE customers (customer_id VARCHAR, "CompanyName" VARCHAR, city VARCHAR, country VARCHAR, active BOOLEAN);
INSERT INTO customers VALUES
  ('A', 'Alpha', 'Berlin', 'Germany', true), ('B', 'Beta', 'Paris', 'France', true), ('C', 'Gamma', 'Wien', 'Austria', false),
  ('D', 'Alpha', 'Lyon', 'France', NULL), ('E', 'Epsilon', NULL, NULL, true), ('F', 'O''Brien', 'Bern', 'Switzerland', true);
CREATE TABLE employees (employee_id INTEGER, last_name VARCHAR, city VARCHAR, reports_to INTEGER);
INSERT INTO employees VALUES (1, 'Boss', 'Berlin', NULL), (2, 'North', 'Paris', 1), (3, 'South', 'Lyon', 1), (4, 'West', 'Bern', 2);
CREATE TABLE addresses (address_id INTEGER, town VARCHAR);
INSERT INTO addresses VALUES (1, 'Ulm'), (2, 'Metz'), (3, 'Graz');
CREATE TABLE orders (order_id INTEGER, customer_id VARCHAR, employee_id INTEGER, ship_to_id INTEGER, bill_to_id INTEGER,
  order_date DATE, shipped_at TIMESTAMP, status VARCHAR, freight DECIMAL(10,2));
INSERT INTO orders VALUES
  (1, 'A', 1, 1, 2, '1996-12-31', '1997-01-02 10:15:00', 'paid', 10.50), (2, 'A', 2, 1, 1, '1997-01-01', '1997-01-05 23:59:59', 'paid', 20.00),
  (3, 'B', 2, 2, 3, '1997-05-31', NULL, 'open', 5.25), (4, 'B', 4, 3, NULL, '1997-06-30', '1997-07-01 00:00:00', 'paid', 7.00),
  (5, 'C', 3, NULL, 1, '1997-07-01', '1997-07-02 08:30:00', 'paid', NULL), (6, NULL, NULL, 2, 2, '1997-12-28', '1998-01-04 08:00:00', NULL, 3.00),
  (7, 'X', 1, 1, 2, '1998-01-04', '1998-01-05 08:00:00', 'open', 4.00), (8, 'D', 3, 3, 3, '1998-02-28', '1998-03-01 12:00:00', 'paid', 12.00),
  (9, 'A', 4, 1, 1, '1998-05-06', NULL, 'open', 8.00), (10, 'E', 2, 2, 1, '1998-03-15', '1998-03-16 09:00:00', 'paid', 6.00);
CREATE TABLE "Order Details" ("OrderID" INTEGER, "ProductID" INTEGER, quantity INTEGER, unit_price DECIMAL(10,2), discount DECIMAL(4,2));
INSERT INTO "Order Details" VALUES
  (1, 1, 10, 2.00, 0), (1, 2, 5, 4.00, 0.10), (2, 1, 20, 2.00, 0), (3, 3, 1, 100.00, 0.25), (3, 1, 4, 2.00, 0), (4, 2, 7, 4.00, 0),
  (5, 4, 3, 9.99, 0.05), (6, 3, 2, 100.00, 0), (7, 2, 12, 4.00, 0), (8, 5, 1, 50.00, 0), (9, 1, 30, 2.50, 0.20), (10, 4, 6, 9.99, 0);
CREATE TABLE products_raw (product_id INTEGER, name VARCHAR, category_id INTEGER, list_price DECIMAL(10,2), "select" VARCHAR);
INSERT INTO products_raw VALUES (1, 'Chai', 1, 2.00, 'x'), (2, 'Chang', 1, 4.00, 'y'), (3, 'Cote', 2, 100.00, 'x'), (4, 'Tofu', 3, 9.99, NULL), (5, 'Thing', NULL, 50.00, 'z');
CREATE TABLE categories (category_id INTEGER, category_name VARCHAR);
INSERT INTO categories VALUES (1, 'Tea'), (2, 'Wine'), (3, 'Soy'), (4, 'Empty');
CREATE TABLE stock (day DATE, product_id INTEGER, units INTEGER, currency VARCHAR, worth DECIMAL(10,2));
INSERT INTO stock VALUES ('1998-01-01', 1, 10, 'EUR', 20), ('1998-01-02', 1, 8, 'EUR', 16), ('1998-01-01', 3, 4, 'USD', 400), ('1998-01-02', 3, 5, 'USD', 500);
CREATE TABLE visits (page VARCHAR, seen_at TIMESTAMP, opens TIME);
INSERT INTO visits VALUES ('/a', '1998-01-01 10:00:00', '08:00:00'), ('/a', '1998-01-01 10:00:00', '08:00:00'), ('/b', '1998-01-02 11:30:00', NULL);
CREATE TABLE tickets (ticket_id INTEGER, client_id VARCHAR, priority VARCHAR, origin VARCHAR, tag VARCHAR, raised_at TIMESTAMP, solved_at TIMESTAMP, zoned_at TIMESTAMP,
  territory VARCHAR, cost DECIMAL(10,2));
INSERT INTO tickets VALUES
  (1, 'A', 'high', 'phone', 'late', '1997-01-31 23:30:00', '1997-02-02 08:00:00', '1997-01-31 23:30:00', 'N', 4), (2, 'A', 'low', 'Berlin', 'broken', '1997-05-01 10:00:00', NULL, '1997-05-01 10:00:00', 'S', 2.5),
  (3, 'F', 'normal', 'phone', 'late', '1998-01-01 00:00:00', NULL, '1998-01-01 00:00:00', NULL, NULL);
CREATE TABLE territories (code VARCHAR, territory_name VARCHAR);
INSERT INTO territories VALUES ('N', 'North'), ('N', 'Nord'), ('S', 'South');
CREATE TABLE budgets (budget_month DATE, planned DECIMAL(10,2));
INSERT INTO budgets VALUES ('1997-01-01', 100), ('1997-02-01', 110), ('1997-05-01', 90);
