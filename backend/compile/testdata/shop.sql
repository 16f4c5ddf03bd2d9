CREATE TABLE regions (region_id INTEGER, region_name VARCHAR);
INSERT INTO regions VALUES (1, 'North'), (2, 'South'), (3, NULL);
CREATE TABLE customers (customer_id INTEGER, name VARCHAR, segment VARCHAR, region_id INTEGER, active BOOLEAN);
INSERT INTO customers VALUES
  (1, 'Ann', 'Retail', 1, true), (2, 'Bob', 'Retail', 2, false), (3, 'Cid', 'Trade', 1, true), (4, 'Dan', NULL, NULL, NULL), (5, 'Eve', 'Trade', 3, true),
  (6, 'Fay', 'Retail', 2, true);
CREATE TABLE products (product_id INTEGER, product_name VARCHAR, category VARCHAR);
INSERT INTO products VALUES (1, 'Chair', 'Wood'), (2, 'Table', 'Wood'), (3, 'Lamp', 'Light'), (4, 'Bulb', 'Light'), (5, 'Rug', NULL);
CREATE TABLE orders (order_id INTEGER, customer_id INTEGER, product_id INTEGER, order_date DATE, amount DECIMAL(10, 2), quantity INTEGER, paid BOOLEAN);
INSERT INTO orders VALUES
  (1, 1, 1, '2023-11-05', 10.00, 1, true), (2, 1, 2, '2023-12-30', 20.50, 2, true), (3, 2, 3, '2024-01-02', 5.25, 5, false),
  (4, 2, 1, '2024-01-31', 7.00, NULL, true), (5, 3, 4, '2024-02-29', NULL, 3, NULL), (6, NULL, 2, '2024-03-01', 40.00, 4, true),
  (7, 99, 5, '2024-03-15', 12.75, 1, false), (8, 4, NULL, '2024-03-31', 3.00, 2, true), (9, 1, 3, '2024-05-01', 8.00, 8, true),
  (10, 5, 1, '2024-05-31', 100.00, 10, false), (11, 6, 77, '2024-06-30', 1.00, 1, true), (12, 1, 1, NULL, 55.00, 5, true),
  (13, 2, 2, '2024-12-31', 9.00, 9, false), (14, 3, 3, '2025-01-01', 6.00, 6, true), (15, 1, 4, '2025-02-28', 2.00, 2, NULL);
CREATE TABLE tickets (ticket_id INTEGER, customer_id INTEGER, opened_at TIMESTAMP, minutes INTEGER, severity INTEGER);
INSERT INTO tickets VALUES
  (1, 1, '2024-01-10 09:30:00', 30, 1), (2, 2, '2024-01-31 23:59:59', 45, 2), (3, 2, '2024-02-10 00:00:00', NULL, 1),
  (4, NULL, '2024-04-01 12:00:00', 15, 3), (5, 98, '2024-06-15 18:45:00', 60, 2), (6, 6, NULL, 5, 1), (7, 3, '2023-01-31 10:00:00', 20, NULL);
CREATE TABLE balances (day DATE, account_id INTEGER, region_id INTEGER, balance DECIMAL(12, 2));
INSERT INTO balances VALUES
  ('2024-01-15', 1, 1, 100), ('2024-01-15', 2, 2, 50), ('2024-01-31', 1, 1, 110), ('2024-01-31', 2, 2, 60), ('2024-02-10', 1, 1, 120),
  ('2024-02-10', 3, NULL, 5), ('2024-02-28', 1, 1, 130), ('2024-02-28', 3, NULL, 7), ('2024-04-30', 2, 2, 90), (NULL, 2, 2, 1000);
CREATE TABLE nothing (id INTEGER, customer_id INTEGER, day DATE, x INTEGER);
