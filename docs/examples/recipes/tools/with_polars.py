#region in
import subprocess
import polars as pl

colkit = ['npx', 'colkit', 'convert']
stream = subprocess.run([*colkit, 'orders.cna', '-', '--to', 'arrow'], stdout=subprocess.PIPE, check=True).stdout
orders = pl.read_ipc_stream(stream)
print(orders.group_by('region').agg(pl.col('amount').sum()).sort('region', nulls_last=True).rows())
# → [('APAC', 7.25), ('EMEA', 12.5), (None, 3.0)]
#endregion in

#region lazy
# More rows than memory: Polars scans a Parquet file lazily, and colkit writes one in bounded memory.
subprocess.run([*colkit, 'orders.cna', 'orders.parquet'], check=True)
large = pl.scan_parquet('orders.parquet').filter(pl.col('amount') > 5).select(pl.len()).collect()
print(large.item())  # → 2
#endregion lazy

#region out
orders.with_columns(tax=pl.col('amount') * 2).write_ipc('taxed.arrow')
subprocess.run([*colkit, 'taxed.arrow', 'taxed.cna'], check=True)
#endregion out
print(subprocess.check_output(['npx', 'colkit', 'query', 'taxed.cna', 'tax > 10', '--count'], text=True).strip())
# → 2
