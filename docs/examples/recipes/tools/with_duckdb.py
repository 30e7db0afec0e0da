#region in
import subprocess
import duckdb
import pyarrow as pa

command = ['npx', 'colkit', 'convert', 'orders.cna', '-', '--to', 'arrow']
with subprocess.Popen(command, stdout=subprocess.PIPE) as colkit:
    # Batch by batch: the table is never in memory as a whole.
    orders = pa.ipc.open_stream(colkit.stdout)
    print(duckdb.sql('select region, sum(amount) from orders group by region order by region').fetchall())
    # → [('APAC', 7.25), ('EMEA', 12.5), (None, 3.0)]
#endregion in

#region out
duckdb.sql("copy (select range as id, range * 1.5 as price from range(4)) to 'prices.parquet'")
subprocess.run(['npx', 'colkit', 'convert', 'prices.parquet', 'prices.cna'], check=True)
#endregion out
print(subprocess.check_output(['npx', 'colkit', 'query', 'prices.cna', 'price > 2', '--count'], text=True).strip())
# → 2
