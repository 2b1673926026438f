import torch
from transformers import BertConfig, BertForSequenceClassification, Trainer, TrainingArguments
import elastune_callbacks, elastune_trial

open("starts", "a").write("start\n")
trial = elastune_trial.load()
callback = elastune_callbacks.transformers_callback(trial)
torch.manual_seed(0)
tokens = torch.randint(0, 50, (64, 8))
rows = [{"input_ids": row, "labels": (row < 10).any().long()} for row in tokens]
model = BertForSequenceClassification(
    BertConfig(
        vocab_size=50, hidden_size=16, num_hidden_layers=1, num_attention_heads=2,
        intermediate_size=32, max_position_embeddings=8,
    )
)
args = TrainingArguments(
    "out", num_train_epochs=2, per_device_train_batch_size=16, learning_rate=trial.config["lr"],
    eval_strategy="epoch", save_strategy="no", report_to=[], use_cpu=True,
)
trainer = Trainer(model, args, train_dataset=rows, eval_dataset=rows, callbacks=[callback])
trainer.train(resume_from_checkpoint=callback.checkpoint)
