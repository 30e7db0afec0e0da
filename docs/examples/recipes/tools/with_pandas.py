#region in
import subprocess
import pandas as pd
import pyarrow as pa


def read_colkit(path, *options):
    """A .cna, .cstore or .syr file, or rows of it, as a pandas frame."""
    command = ['npx', 'colkit', 'convert', path, '-', '--to', 'arrow', *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as colkit:
        frame = pa.ipc.open_stream(colkit.stdout).read_pandas()
    if colkit.returncode != 0:
        raise OSError(f'colkit ended with {colkit.returncode}')
    return frame


orders = read_colkit('orders.cna', '--columns', 'region,amount')
print(orders.groupby('region', dropna=False).amount.sum().to_dict())
# → {'APAC': 7.25, 'EMEA': 12.5, nan: 3.0}
#endregion in

#region out
orders['tax'] = orders.amount * 0.2
orders.to_parquet('taxed.parquet', index=False)
subprocess.run(['npx', 'colkit', 'convert', 'taxed.parquet', 'taxed.cna'], check=True)
#endregion out
print(read_colkit('taxed.cna').tax.tolist())
# → [2.1, 1.4500000000000002, 0.4, 0.6000000000000001]
