#region duckdb
import duckdb
import colkit.duckdb

orders = colkit.duckdb.dataset('orders.cna')
query = 'select region, sum(amount) from orders where order_id < 4 group by region order by region'
print(duckdb.sql(query).fetchall())
# → [('APAC', 7.25), ('EMEA', 12.5)]
#endregion duckdb
