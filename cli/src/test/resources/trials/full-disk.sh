# Runs a job on a separate disk that becomes full after the first trials have started. Then frees
# space and resumes the run. Needs its own mount namespace.
# Arguments: the home, the program, the job file.
home=$1 elastune=$2 job=$3
mount -t tmpfs -o size=48m none "$home" || exit 99
"$elastune" run "$job" -y &
pid=$!
until ls "$home"/runs/*/logs/trial-1.log > /dev/null 2>&1; do
  kill -0 $pid || exit 98
  sleep 0.05
done
head -c 64m /dev/zero > "$home/filler" 2> /dev/null
wait $pid
echo "full: exit $?"
rm "$home/filler"
run=$(ls "$home/runs")
"$elastune" status "$run" --json | tr '\n' ' '
echo
"$elastune" resume "$run" -y --json | tail -n 1
